#include "server/blocking.h"

namespace {

Blocking* instance = nullptr;

}  // namespace

void Blocking::Start(uv_loop_t* loop) { instance = new Blocking(loop); }

Blocking& Blocking::Instance() { return *instance; }

Blocking::Blocking(uv_loop_t* loop) {
  const int error = uv_async_init(loop, &returned_, [](uv_async_t* returned) {
    static_cast<Blocking*>(returned->data)->SettleReturned();
  });
  if (error != 0) throw std::runtime_error(std::string("no way back from other threads: ") + uv_strerror(error));
  returned_.data = this;
  uv_unref(reinterpret_cast<uv_handle_t*>(&returned_));
}

void Blocking::Run(std::function<void()> call, std::function<void()> settle) {
  workers_.Run([this, call = std::move(call), settle = std::move(settle)]() mutable {
    call();
    {
      const std::lock_guard<std::mutex> lock{mutex_};
      settles_.push_back(std::move(settle));
    }
    uv_async_send(&returned_);
  });
  if (++pending_ == 1) uv_ref(reinterpret_cast<uv_handle_t*>(&returned_));
}

void Blocking::SettleReturned() {
  std::vector<std::function<void()>> settles;
  {
    const std::lock_guard<std::mutex> lock{mutex_};
    settles.swap(settles_);
  }
  for (const auto& settle : settles) {
    if (--pending_ == 0) uv_unref(reinterpret_cast<uv_handle_t*>(&returned_));
    settle();
  }
}
