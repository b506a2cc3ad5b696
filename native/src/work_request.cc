// Posting of work requests, as lists.
#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"

namespace {

using SgList = std::vector<ibv_sge>;

const StructTable<ibv_sge>& SgeTable() {
  static const StructTable<ibv_sge> table{
      Word("addr", &ibv_sge::addr),
      Number("length", &ibv_sge::length),
      Number("lkey", &ibv_sge::lkey),
  };
  return table;
}

SgList SgListOf(const Handles& handles, const std::vector<Params>& structs) {
  SgList list;
  for (const Params& params : structs) list.push_back(SgeTable().Take(handles, params));
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
  return Result(call, Refuses::kWithNonzero, std::move(outputs));
}

const StructTable<ibv_recv_wr>& RecvWrTable() {
  static const StructTable<ibv_recv_wr> table{Word("wrId", &ibv_recv_wr::wr_id)};
  return table;
}

WrList<ibv_recv_wr> RecvWrsOf(const Handles& handles, std::vector<Params> structs) {
  WrList<ibv_recv_wr> list;
  for (Params& params : structs) {
    ibv_recv_wr wr{};
    RecvWrTable().TakeInto(handles, params, wr);
    SgList sg_list = SgListOf(handles, params.Structs("sgList"));
    params.End();
    list.Add(wr, std::move(sg_list));
  }
  return list;
}

// ibv_post_recv(3)
Answer PostRecv(const Call& call, std::shared_ptr<Qp> qp, std::vector<Params> structs) {
  return PostList(RecvWrsOf(call.handles, std::move(structs)), [&](ibv_recv_wr* first, ibv_recv_wr** bad_wr) {
    return ibv_post_recv(qp->pointer, first, bad_wr);
  });
}

// ibv_post_srq_recv(3)
Answer PostSrqRecv(const Call& call, std::shared_ptr<Srq> srq, std::vector<Params> structs) {
  return PostList(RecvWrsOf(call.handles, std::move(structs)), [&](ibv_recv_wr* first, ibv_recv_wr** bad_wr) {
    return ibv_post_srq_recv(srq->pointer, first, bad_wr);
  });
}

// The members that each send has, whatever it does, beside its list.
const StructTable<ibv_send_wr>& SendWrTable() {
  static const StructTable<ibv_send_wr> table{
      Word("wrId", &ibv_send_wr::wr_id),
      Enumerator("opcode", &ibv_send_wr::opcode, kWrOpcode),
      Bits("sendFlags", &ibv_send_wr::send_flags, kSendFlags),
  };
  return table;
}

const StructTable<ibv_send_wr>& ImmediateTable() {
  static const StructTable<ibv_send_wr> table{NetworkNumber("immData", &ibv_send_wr::imm_data)};
  return table;
}

const StructTable<ibv_send_wr>& InvalidateTable() {
  static const StructTable<ibv_send_wr> table{Number("invalidateRkey", &ibv_send_wr::invalidate_rkey)};
  return table;
}

using Rdma = decltype(ibv_send_wr::wr.rdma);

const StructTable<Rdma>& RdmaTable() {
  static const StructTable<Rdma> table{
      Word("remoteAddr", &Rdma::remote_addr),
      Number("rkey", &Rdma::rkey),
  };
  return table;
}

using Atomic = decltype(ibv_send_wr::wr.atomic);

const StructTable<Atomic>& AtomicTable() {
  static const StructTable<Atomic> table{
      Word("remoteAddr", &Atomic::remote_addr),
      Number("rkey", &Atomic::rkey),
      Word("compareAdd", &Atomic::compare_add),
      Word("swap", &Atomic::swap),
  };
  return table;
}

using Ud = decltype(ibv_send_wr::wr.ud);

const StructTable<Ud>& UdTable() {
  static const StructTable<Ud> table{
      Pointer<Ah>("ah", &Ud::ah),
      Number("remoteQpn", &Ud::remote_qpn),
      Number("remoteQkey", &Ud::remote_qkey),
  };
  return table;
}

using BindMw = decltype(ibv_send_wr::bind_mw);

const StructTable<BindMw>& BindMwTable() {
  static const StructTable<BindMw> table{
      Pointer<Mw>("mw", &BindMw::mw),
      Number("rkey", &BindMw::rkey),
  };
  return table;
}

const StructTable<ibv_mw_bind_info>& BindInfoTable() {
  static const StructTable<ibv_mw_bind_info> table{
      Pointer<Mr>("mr", &ibv_mw_bind_info::mr),
      Word("addr", &ibv_mw_bind_info::addr),
      Number("length", &ibv_mw_bind_info::length),
      Bits("access", &ibv_mw_bind_info::mw_access_flags, kAccessFlags),
  };
  return table;
}

// A QP knows its peer unless it is of UD; of those, providers follow the address handle of each request.
void RequireUdMembers(const Params& members, const Qp& qp, const ibv_send_wr& wr) {
  if (qp.pointer->qp_type != IBV_QPT_UD) return;
  if (wr.opcode != IBV_WR_SEND && wr.opcode != IBV_WR_SEND_WITH_IMM) throw BadParams("a UD QP can only send");
  if (!members.Has("ud")) throw BadParams("a send on a UD QP needs ud");
}

void TakeUdIfPresent(const Handles& handles, Params& members, ibv_send_wr& wr) {
  if (members.Has("ud")) wr.wr.ud = UdTable().Take(handles, members.Struct("ud"));
}

// The two structs travel as one.
void TakeBindMw(const Handles& handles, Params params, ibv_send_wr& wr) {
  BindMwTable().TakeInto(handles, params, wr.bind_mw);
  BindInfoTable().TakeInto(handles, params, wr.bind_mw.bind_info);
  params.End();
}

// Fills in the members of ibv_send_wr that only some opcodes have.
void TakeOpcodeMembers(const Handles& handles, Params& params, ibv_send_wr& wr) {
  switch (wr.opcode) {
    case IBV_WR_SEND:
      return TakeUdIfPresent(handles, params, wr);
    case IBV_WR_SEND_WITH_IMM:
      ImmediateTable().TakeInto(handles, params, wr);
      return TakeUdIfPresent(handles, params, wr);
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_LOCAL_INV:
      return InvalidateTable().TakeInto(handles, params, wr);
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      ImmediateTable().TakeInto(handles, params, wr);
      wr.wr.rdma = RdmaTable().Take(handles, params.Struct("rdma"));
      return;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_READ:
      wr.wr.rdma = RdmaTable().Take(handles, params.Struct("rdma"));
      return;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      wr.wr.atomic = AtomicTable().Take(handles, params.Struct("atomic"));
      return;
    case IBV_WR_BIND_MW:
      return TakeBindMw(handles, params.Struct("bindMw"), wr);
    default:
      throw BadParams("opcode " + kWrOpcode.NameOf(wr.opcode) + " is not supported");
  }
}

// Providers copy the bytes of an inline send in this process and ask no key, so that they have to be there.
void RequireInlineBytes(const Handles& handles, const SgList& sg_list) {
  for (const ibv_sge& sge : sg_list) {
    const auto holds = [&](const Memory& memory) { return memory.Holds(sge.addr, sge.length); };
    if (sge.length > 0 && !handles.Find<Memory>(holds)) throw BadParams("inline bytes must lie in allocated memory");
  }
}

WrList<ibv_send_wr> SendWrsOf(const Handles& handles, const Qp& qp, std::vector<Params> structs) {
  WrList<ibv_send_wr> list;
  for (Params& params : structs) {
    ibv_send_wr wr{};
    SendWrTable().TakeInto(handles, params, wr);
    SgList sg_list = SgListOf(handles, params.Structs("sgList"));
    RequireUdMembers(params, qp, wr);
    TakeOpcodeMembers(handles, params, wr);
    params.End();
    if (wr.send_flags & IBV_SEND_INLINE) RequireInlineBytes(handles, sg_list);
    list.Add(wr, std::move(sg_list));
  }
  return list;
}

// ibv_post_send(3)
Answer PostSend(const Call& call, std::shared_ptr<Qp> qp, std::vector<Params> structs) {
  auto wrs = SendWrsOf(call.handles, *qp, std::move(structs));
  return PostList(std::move(wrs), [&](ibv_send_wr* first, ibv_send_wr** bad_wr) {
    return ibv_post_send(qp->pointer, first, bad_wr);
  });
}

// Adds types under names with a question mark: of members that only some work requests have.
void AddOptional(Json& type, const Json& others) {
  for (const auto& [name, other] : others.items()) type[name + "?"] = other;
}

Json RecvWrType() {
  Json type = RecvWrTable().Type();
  type["sgList"] = Json::array({SgeTable().Type()});
  return type;
}

Json SendWrType() {
  Json bind_mw = BindMwTable().Type();
  bind_mw.update(BindInfoTable().Type());
  Json type = SendWrTable().Type();
  type["sgList"] = Json::array({SgeTable().Type()});
  AddOptional(type, ImmediateTable().Type());
  AddOptional(type, InvalidateTable().Type());
  AddOptional(type, {{"rdma", RdmaTable().Type()},
                     {"atomic", AtomicTable().Type()},
                     {"ud", UdTable().Type()},
                     {"bindMw", std::move(bind_mw)}});
  return type;
}

}  // namespace

std::vector<Verb> WorkRequestVerbs() {
  const Json bad_wr{{"badWr", "i32 or null"}};
  return {
      Describe("ibv_post_recv", PostRecv, Living<Qp>("qp"), Structs("wrs", RecvWrType())).Filling(bad_wr),
      Describe("ibv_post_srq_recv", PostSrqRecv, Living<Srq>("srq"), Structs("wrs", RecvWrType())).Filling(bad_wr),
      Describe("ibv_post_send", PostSend, Living<Qp>("qp"), Structs("wrs", SendWrType())).Filling(bad_wr),
  };
}
