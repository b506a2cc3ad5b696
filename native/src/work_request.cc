// Posting of work requests.
#include "refusal.h"
#include "result.h"
#include "verbs.h"

namespace {

std::vector<ibv_sge> SgListOf(std::vector<Params> structs) {
  std::vector<ibv_sge> list;
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

// Fills in the members of ibv_send_wr that only some opcodes have: here is where an opcode that has some goes.
void TakeOpcodeMembers(Params&, ibv_send_wr& wr) {
  switch (wr.opcode) {
    case IBV_WR_SEND:
      return;
    default:
      throw BadParams("parameter wr.opcode must be IBV_WR_SEND");
  }
}

// ibv_post_recv(3)
Napi::Value PostRecv(Napi::Env env, Handles& handles, Params& params) {
  const auto qp = handles.Get<Qp>(params.String("qp"));
  Params members = params.Struct("wr");
  params.End();
  std::vector<ibv_sge> sg_list = SgListOf(members.Structs("sgList"));
  ibv_recv_wr wr{};
  wr.wr_id = members.Word("wrId");
  wr.sg_list = sg_list.data();
  wr.num_sge = static_cast<int>(sg_list.size());
  members.End();
  ibv_recv_wr* bad_wr = nullptr;
  const auto call = Measure([&] { return ibv_post_recv(qp->pointer, &wr, &bad_wr); });
  return Result(env, call, Refuses::kWithNonzero);
}

// ibv_post_send(3)
Napi::Value PostSend(Napi::Env env, Handles& handles, Params& params) {
  const auto qp = handles.Get<Qp>(params.String("qp"));
  Params members = params.Struct("wr");
  params.End();
  std::vector<ibv_sge> sg_list = SgListOf(members.Structs("sgList"));
  ibv_send_wr wr{};
  wr.wr_id = members.Word("wrId");
  wr.sg_list = sg_list.data();
  wr.num_sge = static_cast<int>(sg_list.size());
  wr.opcode = static_cast<ibv_wr_opcode>(members.Enum("opcode", kWrOpcode));
  wr.send_flags = static_cast<unsigned int>(members.Flags("sendFlags", kSendFlags));
  TakeOpcodeMembers(members, wr);
  members.End();
  ibv_send_wr* bad_wr = nullptr;
  const auto call = Measure([&] { return ibv_post_send(qp->pointer, &wr, &bad_wr); });
  return Result(env, call, Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> WorkRequestVerbs() { return {{"ibv_post_recv", PostRecv}, {"ibv_post_send", PostSend}}; }
