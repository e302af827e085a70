// A user's program in C++11: the headers as they are, an owner wrapped in a class that moves.
#include <cid/car.h>
#include <cid/cid.h>
#include <cid/json.h>
#include <cid/set.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace
{

class Cid
{
  public:
    explicit Cid(const std::string &text)
    {
        enum cid_error error = cid_parse(&cid_, text.data(), text.size(), nullptr);
        if (error != CID_OK)
            throw std::invalid_argument(cid_error_text(error));
    }
    // Assigning the struct moves it; what is left behind must own nothing.
    Cid(Cid &&other) noexcept : cid_(other.cid_)
    {
        other.cid_ = cid();
    }
    Cid(const Cid &other)
    {
        if (cid_copy(&cid_, &other.cid_, nullptr) != CID_OK)
            throw std::bad_alloc();
    }
    Cid &operator=(Cid other) noexcept
    {
        std::swap(cid_, other.cid_);
        return *this;
    }
    ~Cid()
    {
        cid_free(&cid_, nullptr);
    }

    cid_view view() const
    {
        return cid_as_view(&cid_);
    }
    std::string text(enum cid_base base = CID_BASE_DEFAULT) const
    {
        cid_view v = view();
        size_t size = 0;
        if (cid_text_size(&size, &v, base) != CID_OK)
            throw std::invalid_argument("no such text");
        std::string out(size + 1, '\0');
        if (cid_format(&out[0], out.size(), nullptr, &v, base) != CID_OK)
            throw std::invalid_argument("no such text");
        out.resize(size);
        return out;
    }

  private:
    ::cid cid_;
};

int failures;

void check(bool good, const char *what)
{
    if (!good) {
        std::printf("not so: %s\n", what);
        failures++;
    }
}

// An identity CID of 100 bytes is longer than what an owner holds in place.
std::string long_text()
{
    std::vector<uint8_t> digest(100, 'x');
    ::cid cid;
    if (cid_make_v1(&cid, CID_CODEC_RAW, CID_HASH_IDENTITY, digest.data(), digest.size(),
                    nullptr) != CID_OK)
        throw std::bad_alloc();
    cid_view view = cid_as_view(&cid);
    std::string out(512, '\0');
    size_t written = 0;
    enum cid_error error = cid_format(&out[0], out.size(), &written, &view, CID_BASE32);
    cid_free(&cid, nullptr);
    if (error != CID_OK)
        throw std::invalid_argument(cid_error_text(error));
    out.resize(written);
    return out;
}

} // namespace

int main()
{
    const std::string v0 = "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n";
    std::vector<Cid> cids;
    cids.emplace_back(v0);
    cids.emplace_back(long_text());
    for (int i = 0; i < 10; i++)
        cids.push_back(cids[static_cast<size_t>(i)]);
    check(cids[0].text() == v0, "a CIDv0 prints as it was read");
    check(cids[11].text() == long_text(), "a long CID survives copies and moves");
    cids[0] = cids[1];
    check(cids[0].text() == cids[1].text(), "assignment copies");

    bool refused = false;
    try {
        Cid("not a CID");
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    check(refused, "what is no CID is refused");

    cid_car_reader *reader = nullptr;
    check(cid_car_reader_open(&reader, nullptr, 0, nullptr, nullptr, nullptr) == CID_E_CAR_EMPTY,
          "an empty archive is refused");
    check(reader == nullptr, "a reader that could not be opened is NULL");
    std::printf("%d failures\n", failures);
    return failures != 0;
}
