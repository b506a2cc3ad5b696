#include "runtime/resources.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Counts = std::map<std::string, uint64_t>;

// The attributes in a stretch of memory, by type; each is what follows its header.
class Attributes {
 public:
  Attributes(const char* data, size_t length) : data_(data), length_(length) {}

  // Calls `use` with type and content of each.
  template <class Use>
  void ForEach(Use use) const {
    for (size_t at = 0; at + NLA_HDRLEN <= length_;) {
      nlattr header{};
      std::memcpy(&header, data_ + at, sizeof header);
      if (header.nla_len < NLA_HDRLEN || at + header.nla_len > length_) return;
      use(header.nla_type & NLA_TYPE_MASK, data_ + at + NLA_HDRLEN, header.nla_len - size_t{NLA_HDRLEN});
      at += NLA_ALIGN(header.nla_len);
    }
  }

 private:
  const char* const data_;
  const size_t length_;
};

std::string TextOf(const char* data, size_t length) { return {data, strnlen(data, length)}; }

Counts SummaryOf(const Attributes& summary) {
  Counts counts;
  summary.ForEach([&](int, const char* data, size_t length) {
    std::string name;
    uint64_t count = 0;
    Attributes(data, length).ForEach([&](int type, const char* value, size_t size) {
      if (type == RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME) name = TextOf(value, size);
      if (type == RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR) std::memcpy(&count, value, std::min(size, sizeof count));
    });
    counts[name] = count;
  });
  return counts;
}

bool Ask(int fd) {
  nlmsghdr request{};
  request.nlmsg_len = NLMSG_LENGTH(0);
  request.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_GET);
  request.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  return send(fd, &request, request.nlmsg_len, 0) == static_cast<ssize_t>(request.nlmsg_len);
}

// Reads the answer to its end, and keeps what is said of the device.
std::optional<Counts> Answer(int fd, const std::string& device) {
  std::optional<Counts> found;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t received = recv(fd, buffer.data(), buffer.size(), 0);
    if (received <= 0) return std::nullopt;
    auto left = static_cast<unsigned int>(received);
    for (auto* message = reinterpret_cast<nlmsghdr*>(buffer.data()); NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return found;
      std::string name;
      Counts counts;
      Attributes(static_cast<const char*>(NLMSG_DATA(message)), message->nlmsg_len - NLMSG_HDRLEN)
          .ForEach([&](int type, const char* data, size_t length) {
            if (type == RDMA_NLDEV_ATTR_DEV_NAME) name = TextOf(data, length);
            if (type == RDMA_NLDEV_ATTR_RES_SUMMARY) counts = SummaryOf(Attributes(data, length));
          });
      if (name == device) found = counts;
    }
  }
}

}  // namespace

Json ResourceCounts(const std::string& device) {
  const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
  if (fd < 0) return nullptr;
  const auto counts = Ask(fd) ? Answer(fd, device) : std::nullopt;
  close(fd);
  return counts ? Json(*counts) : Json(nullptr);
}

// By system calls alone: this is asked for after every scenario, and the streams of C++ were the dearest part of it.
std::vector<std::string> OpenRdmaFiles() {
  std::vector<std::string> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder{opendir("/proc/self/fd"), closedir};
  if (!folder) return files;
  char target[PATH_MAX];
  while (const dirent* const entry = readdir(folder.get())) {
    // One descriptor is that of the folder itself, and a verb may close others at any moment.
    const ssize_t length = readlinkat(dirfd(folder.get()), entry->d_name, target, sizeof target);
    const std::string_view file{target, static_cast<size_t>(std::max<ssize_t>(length, 0))};
    if (file.find("infiniband") != std::string_view::npos) files.emplace_back(file);
  }
  return files;
}

Json KernelTaint() {
  const int fd = open("/proc/sys/kernel/tainted", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return nullptr;
  char text[32] = {};
  const ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  uint64_t bits = 0;
  if (length <= 0 || std::sscanf(text, "%" SCNu64, &bits) != 1) return nullptr;
  return bits;
}
