// Posting of work requests, as lists.
#include <arpa/inet.h>

#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

using SgList = std::vector<ibv_sge>;

SgList SgListOf(std::vector<Params> structs) {
  SgList list;
  for (Params& params : structs) {
    ibv_sge sge{};
    sge.addr = params.Word("addr");
    sge.length = params.Integer<uint32_t>("length");
    sge.lkey = params.Integer<uint32_t>("lkey");
    params.End();
    list.push_back(sge);
  }
  return list;
}

// Work requests with what they point to. They are linked once all are there, since they move until then.
template <class Wr>
class WrList {
 public:
  void Add(Wr wr, SgList sg_list) {
    wrs_.push_back(wr);
    sg_lists_.push_back(std::move(sg_list));
  }

  // The first one, or null if there is none.
  Wr* Link() {
    for (size_t index = 0; index < wrs_.size(); ++index) {
      wrs_[index].sg_list = sg_lists_[index].data();
      wrs_[index].num_sge = static_cast<int>(sg_lists_[index].size());
      wrs_[index].next = index + 1 < wrs_.size() ? &wrs_[index + 1] : nullptr;
    }
    return wrs_.empty() ? nullptr : wrs_.data();
  }

  // Where in the list the verb pointed to; null for a null pointer.
  Json IndexOf(const Wr* bad_wr) const {
    if (bad_wr == nullptr) return nullptr;
    for (size_t index = 0; index < wrs_.size(); ++index) {
      if (bad_wr == &wrs_[index]) return static_cast<double>(index);
    }
    return UnknownObject("wr", bad_wr);
  }

 private:
  std::vector<Wr> wrs_;
  std::vector<SgList> sg_lists_;
};

// Posts the list, `post(first, &bad_wr)`.
template <class Wr, class Post>
Json PostList(WrList<Wr> list, const Post& post) {
  Wr* const first = list.Link();
  Wr* bad_wr = nullptr;
  const auto call = Measure([&] { return post(first, &bad_wr); });
  Json outputs = Json::object();
  outputs["badWr"] = list.IndexOf(bad_wr);
  return Result(call, Refuses::kWithNonzero, outputs);
}

WrList<ibv_recv_wr> RecvWrsOf(std::vector<Params> structs) {
  WrList<ibv_recv_wr> list;
  for (Params& params : structs) {
    ibv_recv_wr wr{};
    wr.wr_id = params.Word("wrId");
    SgList sg_list = SgListOf(params.Structs("sgList"));
    params.End();
    list.Add(wr, std::move(sg_list));
  }
  return list;
}

// ibv_post_recv(3)
Answer PostRecv(Handles& handles, Params& params, const Reply&) {
  const auto qp = handles.Get<Qp>(params.String("qp"));
  auto wrs = RecvWrsOf(params.Structs("wrs"));
  params.End();
  return PostList(std::move(wrs), [&](ibv_recv_wr* first, ibv_recv_wr** bad_wr) {
    return ibv_post_recv(qp->pointer, first, bad_wr);
  });
}

// ibv_post_srq_recv(3)
Answer PostSrqRecv(Handles& handles, Params& params, const Reply&) {
  const auto srq = handles.Get<Srq>(params.String("srq"));
  auto wrs = RecvWrsOf(params.Structs("wrs"));
  params.End();
  return PostList(std::move(wrs), [&](ibv_recv_wr* first, ibv_recv_wr** bad_wr) {
    return ibv_post_srq_recv(srq->pointer, first, bad_wr);
  });
}

void TakeRdma(Params params, ibv_send_wr& wr) {
  wr.wr.rdma.remote_addr = params.Word("remoteAddr");
  wr.wr.rdma.rkey = params.Integer<uint32_t>("rkey");
  params.End();
}

void TakeAtomic(Params params, ibv_send_wr& wr) {
  wr.wr.atomic.remote_addr = params.Word("remoteAddr");
  wr.wr.atomic.rkey = params.Integer<uint32_t>("rkey");
  wr.wr.atomic.compare_add = params.Word("compareAdd");
  wr.wr.atomic.swap = params.Word("swap");
  params.End();
}

// A QP knows its peer unless it is of UD; of those, providers follow the address handle of each request.
void RequireUdMembers(const Params& members, const Qp& qp, const ibv_send_wr& wr) {
  if (qp.pointer->qp_type != IBV_QPT_UD) return;
  if (wr.opcode != IBV_WR_SEND && wr.opcode != IBV_WR_SEND_WITH_IMM) throw BadParams("a UD QP can only send");
  if (!members.Has("ud")) throw BadParams("a send on a UD QP needs ud");
}

void TakeUdIfPresent(const Handles& handles, Params& members, ibv_send_wr& wr) {
  if (!members.Has("ud")) return;
  Params params = members.Struct("ud");
  wr.wr.ud.ah = handles.Get<Ah>(params.String("ah"))->pointer;
  wr.wr.ud.remote_qpn = params.Integer<uint32_t>("remoteQpn");
  wr.wr.ud.remote_qkey = params.Integer<uint32_t>("remoteQkey");
  params.End();
}

void TakeBindMw(const Handles& handles, Params params, ibv_send_wr& wr) {
  wr.bind_mw.mw = handles.Get<Mw>(params.String("mw"))->pointer;
  wr.bind_mw.rkey = params.Integer<uint32_t>("rkey");
  wr.bind_mw.bind_info.mr = handles.Get<Mr>(params.String("mr"))->pointer;
  wr.bind_mw.bind_info.addr = params.Word("addr");
  wr.bind_mw.bind_info.length = params.Integer<uint64_t>("length");
  wr.bind_mw.bind_info.mw_access_flags = static_cast<unsigned int>(params.Flags("access", kAccessFlags));
  params.End();
}

// Fills in the members of ibv_send_wr that only some opcodes have.
void TakeOpcodeMembers(const Handles& handles, Params& params, ibv_send_wr& wr) {
  switch (wr.opcode) {
    case IBV_WR_SEND:
      return TakeUdIfPresent(handles, params, wr);
    case IBV_WR_SEND_WITH_IMM:
      wr.imm_data = htonl(params.Integer<uint32_t>("immData"));
      return TakeUdIfPresent(handles, params, wr);
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_LOCAL_INV:
      wr.invalidate_rkey = params.Integer<uint32_t>("invalidateRkey");
      return;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      wr.imm_data = htonl(params.Integer<uint32_t>("immData"));
      return TakeRdma(params.Struct("rdma"), wr);
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_READ:
      return TakeRdma(params.Struct("rdma"), wr);
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      return TakeAtomic(params.Struct("atomic"), wr);
    case IBV_WR_BIND_MW:
      return TakeBindMw(handles, params.Struct("bindMw"), wr);
    default:
      throw BadParams("opcode " + kWrOpcode.NameOf(wr.opcode) + " is not supported");
  }
}

// Providers copy the bytes of an inline send in this process and ask no key, so that they have to be there.
void RequireInlineBytes(const Handles& handles, const SgList& sg_list) {
  for (const ibv_sge& sge : sg_list) {
    const auto holds = [&](const Mr& mr) { return mr.Holds(sge.addr, sge.length); };
    if (sge.length > 0 && !handles.Find<Mr>(holds)) throw BadParams("inline bytes must lie in memory of an MR");
  }
}

WrList<ibv_send_wr> SendWrsOf(const Handles& handles, const Qp& qp, std::vector<Params> structs) {
  WrList<ibv_send_wr> list;
  for (Params& params : structs) {
    ibv_send_wr wr{};
    wr.wr_id = params.Word("wrId");
    SgList sg_list = SgListOf(params.Structs("sgList"));
    wr.opcode = static_cast<ibv_wr_opcode>(params.Enum("opcode", kWrOpcode));
    wr.send_flags = static_cast<unsigned int>(params.Flags("sendFlags", kSendFlags));
    RequireUdMembers(params, qp, wr);
    TakeOpcodeMembers(handles, params, wr);
    params.End();
    if (wr.send_flags & IBV_SEND_INLINE) RequireInlineBytes(handles, sg_list);
    list.Add(wr, std::move(sg_list));
  }
  return list;
}

// ibv_post_send(3)
Answer PostSend(Handles& handles, Params& params, const Reply&) {
  const auto qp = handles.Get<Qp>(params.String("qp"));
  auto wrs = SendWrsOf(handles, *qp, params.Structs("wrs"));
  params.End();
  return PostList(std::move(wrs), [&](ibv_send_wr* first, ibv_send_wr** bad_wr) {
    return ibv_post_send(qp->pointer, first, bad_wr);
  });
}

}  // namespace

std::vector<Verb> WorkRequestVerbs() {
  return {{"ibv_post_recv", PostRecv}, {"ibv_post_srq_recv", PostSrqRecv}, {"ibv_post_send", PostSend}};
}
