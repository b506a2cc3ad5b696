// Asynchronous events of a device.
#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

enum class ElementKind { kCq, kQp, kSrq, kWq, kPort, kNone };

// Which member of the union is valid, as ibv_get_async_event(3) lists it.
ElementKind ElementKindOf(ibv_event_type type) {
  switch (type) {
    case IBV_EVENT_CQ_ERR:
      return ElementKind::kCq;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      return ElementKind::kQp;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
      return ElementKind::kSrq;
    case IBV_EVENT_WQ_FATAL:
      return ElementKind::kWq;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
      return ElementKind::kPort;
    case IBV_EVENT_DEVICE_FATAL:
    default:
      return ElementKind::kNone;
  }
}

bool NamesObject(ibv_event_type type) {
  const ElementKind kind = ElementKindOf(type);
  return kind != ElementKind::kPort && kind != ElementKind::kNone;
}

std::shared_ptr<Object> ElementOf(const Handles& handles, const ibv_async_event& event) {
  switch (ElementKindOf(event.event_type)) {
    case ElementKind::kCq:
      return handles.FindByAddress<Cq>(event.element.cq);
    case ElementKind::kQp:
      return handles.FindByAddress<Qp>(event.element.qp);
    case ElementKind::kSrq:
      return handles.FindByAddress<Srq>(event.element.srq);
    default:
      return nullptr;
  }
}

// The element as it travels: a handle, a port number, or null.
Json ElementValue(const ibv_async_event& event, const std::shared_ptr<Object>& element) {
  if (element) return element->handle;
  switch (ElementKindOf(event.event_type)) {
    case ElementKind::kCq:
      return UnknownObject("cq", event.element.cq);
    case ElementKind::kQp:
      return UnknownObject("qp", event.element.qp);
    case ElementKind::kSrq:
      return UnknownObject("srq", event.element.srq);
    case ElementKind::kWq:
      return UnknownObject("wq", event.element.wq);
    case ElementKind::kPort:
      return event.element.port_num;
    case ElementKind::kNone:
      break;
  }
  return nullptr;
}

// ibv_get_async_event(3)
Answer GetAsyncEvent(const Call& call, std::shared_ptr<Context> context) {
  const auto event = std::make_shared<ibv_async_event>();
  const auto inside = std::make_shared<CallInside>(context);
  const auto get = [pointer = context->pointer, event] { return ibv_get_async_event(pointer, event.get()); };
  return RunBlocking(
      call.reply, get, [&handles = call.handles, context, event, inside](const Measured<int>& got) {
        if (got.returned != 0) return Result(got, Refuses::kWithNonzero);
        const auto element = ElementOf(handles, *event);
        Json outputs = Json::object();
        outputs["event"] = handles.Add<AsyncEvent>(context, *event, element)->handle;
        outputs["eventType"] = kEventType.NameOf(event->event_type);
        outputs["element"] = ElementValue(*event, element);
        return Result(got, Refuses::kWithNonzero, std::move(outputs));
      });
}

// The verb counts the acknowledgement in the element, so the element has to be there.
void RequireElement(const Handles& handles, const AsyncEvent& event) {
  if (!NamesObject(event.event.event_type)) return;
  if (!event.element) throw BadHandle(event.handle + " names an object that is not known");
  handles.GetAny(event.element->handle);
}

// ibv_ack_async_event(3)
Answer AckAsyncEvent(const Call& call, std::shared_ptr<AsyncEvent> event) {
  RequireElement(call.handles, *event);
  const auto acknowledged = Measure([&] { ibv_ack_async_event(&event->event); });
  call.handles.Remove(*event);
  return Result(acknowledged);
}

}  // namespace

std::vector<Verb> AsyncEventVerbs() {
  return {
      Describe("ibv_get_async_event", GetAsyncEvent, Living<Context>("context"))
          .Filling({{"event", ObjectType<AsyncEvent>()},
                    {"eventType", EnumType(kEventType)},
                    {"element", "object cq|qp|srq or u8 or null"}}),
      Describe("ibv_ack_async_event", AckAsyncEvent, Unused<AsyncEvent>("event")),
  };
}
