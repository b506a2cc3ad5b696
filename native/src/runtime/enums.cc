#include "runtime/enums.h"

#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>

#include <charconv>

#include "runtime/refusal.h"

// Enumerators cannot be tested for at compile time, so the few that are younger than rdma-core 28 are left out.
#define MEMBER(name) {#name, name}

const Enumeration kAccessFlags{
    "ibv_access_flags",
    {
        MEMBER(IBV_ACCESS_LOCAL_WRITE),
        MEMBER(IBV_ACCESS_REMOTE_WRITE),
        MEMBER(IBV_ACCESS_REMOTE_READ),
        MEMBER(IBV_ACCESS_REMOTE_ATOMIC),
        MEMBER(IBV_ACCESS_MW_BIND),
        MEMBER(IBV_ACCESS_ZERO_BASED),
        MEMBER(IBV_ACCESS_ON_DEMAND),
        MEMBER(IBV_ACCESS_HUGETLB),
        MEMBER(IBV_ACCESS_RELAXED_ORDERING),
    }};

const Enumeration kAtomicCap{
    "ibv_atomic_cap",
    {
        MEMBER(IBV_ATOMIC_NONE),
        MEMBER(IBV_ATOMIC_HCA),
        MEMBER(IBV_ATOMIC_GLOB),
    }};

const Enumeration kCqAttrMask{
    "ibv_cq_attr_mask",
    {
        MEMBER(IBV_CQ_ATTR_MODERATE),
    }};

const Enumeration kCqInitAttrMask{
    "ibv_cq_init_attr_mask",
    {
        MEMBER(IBV_CQ_INIT_ATTR_MASK_FLAGS),
    }};

const Enumeration kCreateCqAttrFlags{
    "ibv_create_cq_attr_flags",
    {
        MEMBER(IBV_CREATE_CQ_ATTR_SINGLE_THREADED),
        MEMBER(IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN),
    }};

const Enumeration kCreateCqWcFlags{
    "ibv_create_cq_wc_flags",
    {
        MEMBER(IBV_WC_EX_WITH_BYTE_LEN),
        MEMBER(IBV_WC_EX_WITH_IMM),
        MEMBER(IBV_WC_EX_WITH_QP_NUM),
        MEMBER(IBV_WC_EX_WITH_SRC_QP),
        MEMBER(IBV_WC_EX_WITH_SLID),
        MEMBER(IBV_WC_EX_WITH_SL),
        MEMBER(IBV_WC_EX_WITH_DLID_PATH_BITS),
        MEMBER(IBV_WC_EX_WITH_COMPLETION_TIMESTAMP),
        MEMBER(IBV_WC_EX_WITH_CVLAN),
        MEMBER(IBV_WC_EX_WITH_FLOW_TAG),
        MEMBER(IBV_WC_EX_WITH_TM_INFO),
        MEMBER(IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK),
    }};

const Enumeration kDeviceCapFlags{
    "ibv_device_cap_flags",
    {
        MEMBER(IBV_DEVICE_RESIZE_MAX_WR),
        MEMBER(IBV_DEVICE_BAD_PKEY_CNTR),
        MEMBER(IBV_DEVICE_BAD_QKEY_CNTR),
        MEMBER(IBV_DEVICE_RAW_MULTI),
        MEMBER(IBV_DEVICE_AUTO_PATH_MIG),
        MEMBER(IBV_DEVICE_CHANGE_PHY_PORT),
        MEMBER(IBV_DEVICE_UD_AV_PORT_ENFORCE),
        MEMBER(IBV_DEVICE_CURR_QP_STATE_MOD),
        MEMBER(IBV_DEVICE_SHUTDOWN_PORT),
        MEMBER(IBV_DEVICE_INIT_TYPE),
        MEMBER(IBV_DEVICE_PORT_ACTIVE_EVENT),
        MEMBER(IBV_DEVICE_SYS_IMAGE_GUID),
        MEMBER(IBV_DEVICE_RC_RNR_NAK_GEN),
        MEMBER(IBV_DEVICE_SRQ_RESIZE),
        MEMBER(IBV_DEVICE_N_NOTIFY_CQ),
        MEMBER(IBV_DEVICE_MEM_WINDOW),
        MEMBER(IBV_DEVICE_UD_IP_CSUM),
        MEMBER(IBV_DEVICE_XRC),
        MEMBER(IBV_DEVICE_MEM_MGT_EXTENSIONS),
        MEMBER(IBV_DEVICE_MEM_WINDOW_TYPE_2A),
        MEMBER(IBV_DEVICE_MEM_WINDOW_TYPE_2B),
        MEMBER(IBV_DEVICE_RC_IP_CSUM),
        MEMBER(IBV_DEVICE_RAW_IP_CSUM),
        MEMBER(IBV_DEVICE_MANAGED_FLOW_STEERING),
    }};

const Enumeration kEventType{
    "ibv_event_type",
    {
        MEMBER(IBV_EVENT_CQ_ERR),
        MEMBER(IBV_EVENT_QP_FATAL),
        MEMBER(IBV_EVENT_QP_REQ_ERR),
        MEMBER(IBV_EVENT_QP_ACCESS_ERR),
        MEMBER(IBV_EVENT_COMM_EST),
        MEMBER(IBV_EVENT_SQ_DRAINED),
        MEMBER(IBV_EVENT_PATH_MIG),
        MEMBER(IBV_EVENT_PATH_MIG_ERR),
        MEMBER(IBV_EVENT_DEVICE_FATAL),
        MEMBER(IBV_EVENT_PORT_ACTIVE),
        MEMBER(IBV_EVENT_PORT_ERR),
        MEMBER(IBV_EVENT_LID_CHANGE),
        MEMBER(IBV_EVENT_PKEY_CHANGE),
        MEMBER(IBV_EVENT_SM_CHANGE),
        MEMBER(IBV_EVENT_SRQ_ERR),
        MEMBER(IBV_EVENT_SRQ_LIMIT_REACHED),
        MEMBER(IBV_EVENT_QP_LAST_WQE_REACHED),
        MEMBER(IBV_EVENT_CLIENT_REREGISTER),
        MEMBER(IBV_EVENT_GID_CHANGE),
        MEMBER(IBV_EVENT_WQ_FATAL),
    }};

const Enumeration kLinkLayer{
    "link_layer",
    {
        MEMBER(IBV_LINK_LAYER_UNSPECIFIED),
        MEMBER(IBV_LINK_LAYER_INFINIBAND),
        MEMBER(IBV_LINK_LAYER_ETHERNET),
    }};

const Enumeration kMigState{
    "ibv_mig_state",
    {
        MEMBER(IBV_MIG_MIGRATED),
        MEMBER(IBV_MIG_REARM),
        MEMBER(IBV_MIG_ARMED),
    }};

const Enumeration kMtu{
    "ibv_mtu",
    {
        MEMBER(IBV_MTU_256),
        MEMBER(IBV_MTU_512),
        MEMBER(IBV_MTU_1024),
        MEMBER(IBV_MTU_2048),
        MEMBER(IBV_MTU_4096),
    }};

const Enumeration kMwType{
    "ibv_mw_type",
    {
        MEMBER(IBV_MW_TYPE_1),
        MEMBER(IBV_MW_TYPE_2),
    }};

const Enumeration kNodeType{
    "ibv_node_type",
    {
        MEMBER(IBV_NODE_UNKNOWN),
        MEMBER(IBV_NODE_CA),
        MEMBER(IBV_NODE_SWITCH),
        MEMBER(IBV_NODE_ROUTER),
        MEMBER(IBV_NODE_RNIC),
        MEMBER(IBV_NODE_USNIC),
        MEMBER(IBV_NODE_USNIC_UDP),
        MEMBER(IBV_NODE_UNSPECIFIED),
    }};

const Enumeration kOpenFlags{
    "open_flags",
    {
        MEMBER(O_WRONLY),
        MEMBER(O_RDWR),
        MEMBER(O_APPEND),
        MEMBER(O_NONBLOCK),
        MEMBER(O_ASYNC),
    }};

const Enumeration kPollEvents{
    "poll_events",
    {
        MEMBER(POLLIN),
        MEMBER(POLLPRI),
        MEMBER(POLLOUT),
        MEMBER(POLLERR),
        MEMBER(POLLHUP),
        MEMBER(POLLNVAL),
    }};

const Enumeration kPortState{
    "ibv_port_state",
    {
        MEMBER(IBV_PORT_NOP),
        MEMBER(IBV_PORT_DOWN),
        MEMBER(IBV_PORT_INIT),
        MEMBER(IBV_PORT_ARMED),
        MEMBER(IBV_PORT_ACTIVE),
        MEMBER(IBV_PORT_ACTIVE_DEFER),
    }};

const Enumeration kQpAttrMask{
    "ibv_qp_attr_mask",
    {
        MEMBER(IBV_QP_STATE),
        MEMBER(IBV_QP_CUR_STATE),
        MEMBER(IBV_QP_EN_SQD_ASYNC_NOTIFY),
        MEMBER(IBV_QP_ACCESS_FLAGS),
        MEMBER(IBV_QP_PKEY_INDEX),
        MEMBER(IBV_QP_PORT),
        MEMBER(IBV_QP_QKEY),
        MEMBER(IBV_QP_AV),
        MEMBER(IBV_QP_PATH_MTU),
        MEMBER(IBV_QP_TIMEOUT),
        MEMBER(IBV_QP_RETRY_CNT),
        MEMBER(IBV_QP_RNR_RETRY),
        MEMBER(IBV_QP_RQ_PSN),
        MEMBER(IBV_QP_MAX_QP_RD_ATOMIC),
        MEMBER(IBV_QP_ALT_PATH),
        MEMBER(IBV_QP_MIN_RNR_TIMER),
        MEMBER(IBV_QP_SQ_PSN),
        MEMBER(IBV_QP_MAX_DEST_RD_ATOMIC),
        MEMBER(IBV_QP_PATH_MIG_STATE),
        MEMBER(IBV_QP_CAP),
        MEMBER(IBV_QP_DEST_QPN),
        MEMBER(IBV_QP_RATE_LIMIT),
    }};

const Enumeration kQpState{
    "ibv_qp_state",
    {
        MEMBER(IBV_QPS_RESET),
        MEMBER(IBV_QPS_INIT),
        MEMBER(IBV_QPS_RTR),
        MEMBER(IBV_QPS_RTS),
        MEMBER(IBV_QPS_SQD),
        MEMBER(IBV_QPS_SQE),
        MEMBER(IBV_QPS_ERR),
        MEMBER(IBV_QPS_UNKNOWN),
    }};

const Enumeration kQpType{
    "ibv_qp_type",
    {
        MEMBER(IBV_QPT_RC),
        MEMBER(IBV_QPT_UC),
        MEMBER(IBV_QPT_UD),
        MEMBER(IBV_QPT_RAW_PACKET),
        MEMBER(IBV_QPT_XRC_SEND),
        MEMBER(IBV_QPT_XRC_RECV),
        MEMBER(IBV_QPT_DRIVER),
    }};

const Enumeration kSendFlags{
    "ibv_send_flags",
    {
        MEMBER(IBV_SEND_FENCE),
        MEMBER(IBV_SEND_SIGNALED),
        MEMBER(IBV_SEND_SOLICITED),
        MEMBER(IBV_SEND_INLINE),
        MEMBER(IBV_SEND_IP_CSUM),
    }};

const Enumeration kSrqAttrMask{
    "ibv_srq_attr_mask",
    {
        MEMBER(IBV_SRQ_MAX_WR),
        MEMBER(IBV_SRQ_LIMIT),
    }};

const Enumeration kTransportType{
    "ibv_transport_type",
    {
        MEMBER(IBV_TRANSPORT_UNKNOWN),
        MEMBER(IBV_TRANSPORT_IB),
        MEMBER(IBV_TRANSPORT_IWARP),
        MEMBER(IBV_TRANSPORT_USNIC),
        MEMBER(IBV_TRANSPORT_USNIC_UDP),
        MEMBER(IBV_TRANSPORT_UNSPECIFIED),
    }};

const Enumeration kWcFlags{
    "ibv_wc_flags",
    {
        MEMBER(IBV_WC_GRH),
        MEMBER(IBV_WC_WITH_IMM),
        MEMBER(IBV_WC_IP_CSUM_OK),
        MEMBER(IBV_WC_WITH_INV),
        MEMBER(IBV_WC_TM_SYNC_REQ),
        MEMBER(IBV_WC_TM_MATCH),
        MEMBER(IBV_WC_TM_DATA_VALID),
    }};

const Enumeration kWcOpcode{
    "ibv_wc_opcode",
    {
        MEMBER(IBV_WC_SEND),
        MEMBER(IBV_WC_RDMA_WRITE),
        MEMBER(IBV_WC_RDMA_READ),
        MEMBER(IBV_WC_COMP_SWAP),
        MEMBER(IBV_WC_FETCH_ADD),
        MEMBER(IBV_WC_BIND_MW),
        MEMBER(IBV_WC_LOCAL_INV),
        MEMBER(IBV_WC_TSO),
        MEMBER(IBV_WC_RECV),
        MEMBER(IBV_WC_RECV_RDMA_WITH_IMM),
        MEMBER(IBV_WC_TM_ADD),
        MEMBER(IBV_WC_TM_DEL),
        MEMBER(IBV_WC_TM_SYNC),
        MEMBER(IBV_WC_TM_RECV),
        MEMBER(IBV_WC_TM_NO_TAG),
        MEMBER(IBV_WC_DRIVER1),
    }};

const Enumeration kWcStatus{
    "ibv_wc_status",
    {
        MEMBER(IBV_WC_SUCCESS),
        MEMBER(IBV_WC_LOC_LEN_ERR),
        MEMBER(IBV_WC_LOC_QP_OP_ERR),
        MEMBER(IBV_WC_LOC_EEC_OP_ERR),
        MEMBER(IBV_WC_LOC_PROT_ERR),
        MEMBER(IBV_WC_WR_FLUSH_ERR),
        MEMBER(IBV_WC_MW_BIND_ERR),
        MEMBER(IBV_WC_BAD_RESP_ERR),
        MEMBER(IBV_WC_LOC_ACCESS_ERR),
        MEMBER(IBV_WC_REM_INV_REQ_ERR),
        MEMBER(IBV_WC_REM_ACCESS_ERR),
        MEMBER(IBV_WC_REM_OP_ERR),
        MEMBER(IBV_WC_RETRY_EXC_ERR),
        MEMBER(IBV_WC_RNR_RETRY_EXC_ERR),
        MEMBER(IBV_WC_LOC_RDD_VIOL_ERR),
        MEMBER(IBV_WC_REM_INV_RD_REQ_ERR),
        MEMBER(IBV_WC_REM_ABORT_ERR),
        MEMBER(IBV_WC_INV_EECN_ERR),
        MEMBER(IBV_WC_INV_EEC_STATE_ERR),
        MEMBER(IBV_WC_FATAL_ERR),
        MEMBER(IBV_WC_RESP_TIMEOUT_ERR),
        MEMBER(IBV_WC_GENERAL_ERR),
        MEMBER(IBV_WC_TM_ERR),
        MEMBER(IBV_WC_TM_RNDV_INCOMPLETE),
    }};

const Enumeration kWrOpcode{
    "ibv_wr_opcode",
    {
        MEMBER(IBV_WR_RDMA_WRITE),
        MEMBER(IBV_WR_RDMA_WRITE_WITH_IMM),
        MEMBER(IBV_WR_SEND),
        MEMBER(IBV_WR_SEND_WITH_IMM),
        MEMBER(IBV_WR_RDMA_READ),
        MEMBER(IBV_WR_ATOMIC_CMP_AND_SWP),
        MEMBER(IBV_WR_ATOMIC_FETCH_AND_ADD),
        MEMBER(IBV_WR_LOCAL_INV),
        MEMBER(IBV_WR_BIND_MW),
        MEMBER(IBV_WR_SEND_WITH_INV),
        MEMBER(IBV_WR_TSO),
        MEMBER(IBV_WR_DRIVER1),
    }};

#undef MEMBER

const std::vector<const Enumeration*>& Enumerations() {
  static const std::vector<const Enumeration*> all{
      &kAccessFlags,
      &kAtomicCap,
      &kCqAttrMask,
      &kCqInitAttrMask,
      &kCreateCqAttrFlags,
      &kCreateCqWcFlags,
      &kDeviceCapFlags,
      &kEventType,
      &kLinkLayer,
      &kMigState,
      &kMtu,
      &kMwType,
      &kNodeType,
      &kOpenFlags,
      &kPollEvents,
      &kPortState,
      &kQpAttrMask,
      &kQpState,
      &kQpType,
      &kSendFlags,
      &kSrqAttrMask,
      &kTransportType,
      &kWcFlags,
      &kWcOpcode,
      &kWcStatus,
      &kWrOpcode,
  };
  return all;
}

std::string Enumeration::NameOf(int64_t value) const {
  for (const auto& [member, number] : members) {
    if (number == value) return member;
  }
  return std::to_string(value);
}

std::vector<std::string> Enumeration::NamesOf(uint64_t bits) const {
  std::vector<std::string> names;
  for (const auto& [member, bit] : members) {
    if (!(bits & static_cast<uint64_t>(bit))) continue;
    names.emplace_back(member);
    bits &= ~static_cast<uint64_t>(bit);
  }
  if (bits) names.push_back(std::to_string(bits));
  return names;
}

int64_t Enumeration::ValueOf(const std::string& text) const {
  for (const auto& [member, number] : members) {
    if (text == member) return number;
  }
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (!text.empty() && parsed.ec == std::errc() && parsed.ptr == end) return value;
  std::string known;
  for (const auto& [member, number] : members) known += std::string(known.empty() ? "" : ", ") + member;
  throw BadParams("\"" + text.substr(0, 80) + "\" is not in " + name + ": " + known);
}
