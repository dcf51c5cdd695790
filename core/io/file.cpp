#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/io/document.hpp"

namespace crosspoint {
namespace {

/// The system's own words, in English whatever the locale: messages are compared and pasted into reports.
std::string error_text(int code) {
#if defined(__GLIBC__)
    if (const char* text = strerrordesc_np(code)) return text;
#endif
    return fmt::format("system error {}", code);
}

tl::unexpected<Error> io_failure(std::string_view doing, const std::string& path, int code) {
    auto error = fail(ErrorCode::io, fmt::format("{} '{}': {}", doing, path, error_text(code)),
                      "check the path, the permissions and the free space");
    error.value().file = path;
    return error;
}

/// An open file that closes itself.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return value_; }
    /// False when the last writes could not be stored.
    bool close() {
        const bool ok = value_ < 0 || ::close(value_) == 0;
        value_ = -1;
        return ok;
    }

private:
    int value_;
};

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// The file itself when `path` is a symbolic link, so that saving does not replace the link.
std::string target_of(const std::string& path) {
    char* resolved = ::realpath(path.c_str(), nullptr);
    if (!resolved) return path;
    std::string target(resolved);
    std::free(resolved);
    return target;
}

/// A new file beside `target`, with the permissions that the process gives to new files; its name goes to `path`.
int open_beside(const std::string& target, std::string& path) {
    constexpr int attempts = 1000;
    for (int i = 0; i < attempts; ++i) {
        path = fmt::format("{}.{}-{}", target, ::getpid(), i);
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/// A file that is replaced hands its permissions on.
bool take_permissions(int descriptor, const std::string& target) {
    struct stat info {};
    return ::stat(target.c_str(), &info) != 0 || ::fchmod(descriptor, info.st_mode & 07777U) == 0;
}

/// Makes the rename durable; a file system that cannot sync a folder is not an error.
void sync_folder(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view bytes) {
    const std::string target = target_of(path);
    std::string temporary;
    Descriptor descriptor(open_beside(target, temporary));
    if (descriptor.get() < 0) return io_failure("cannot write beside", path, errno);
    const auto give_up = [&](int code) {
        ::unlink(temporary.c_str());
        return io_failure("cannot write", path, code);
    };
    if (!write_all(descriptor.get(), bytes) || !take_permissions(descriptor.get(), target) ||
        ::fsync(descriptor.get()) != 0 || !descriptor.close())
        return give_up(errno);
    if (::rename(temporary.c_str(), target.c_str()) != 0) return give_up(errno);
    sync_folder(target);
    return {};
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.get() < 0) return io_failure("cannot open", path, errno);
    std::string text;
    std::vector<char> buffer(std::size_t{1} << 16U);
    for (;;) {
        const ssize_t got = ::read(descriptor.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return io_failure("cannot read", path, errno);
        if (got == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > limit) {
            auto error = fail(ErrorCode::io, fmt::format("'{}' is larger than {} MiB", path, limit >> 20U),
                              "check that it is the file you mean");
            error.value().file = path;
            return error;
        }
    }
}

Result<Document> load_document(const std::string& path, std::shared_ptr<const Catalogue> builtin) {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    return parse_document(*text, path, std::move(builtin));
}

Result<void> save_document(const Document& document, const std::string& path) {
    return write_file(path, write_document(document));
}

}  // namespace crosspoint
