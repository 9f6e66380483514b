// Sampler, batches and the native update as Python sees them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "sampling.hpp"
#include "trainer.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PartTables = std::tuple<std::string, Matrix, Matrix, Matrix, int>;
using OutputTables = std::tuple<Matrix, Matrix, Matrix>;

// Keeps the corpus's arrays alive beside the sampler that reads them.
class BoundSampler {
  public:
    BoundSampler(Vector<int32_t> flat, Vector<int64_t> offsets, Vector<double> noise,
                 std::optional<Vector<float>> keep, uint64_t seed, int batch_sentences, int centres,
                 int window, int negatives, bool random_target, bool share_negatives,
                 int64_t validation_sentences)
        : flat_(flat), offsets_(offsets), keep_(keep),
          sampler_(flat_.data(), offsets_.data(), static_cast<int64_t>(offsets_.shape(0)) - 1,
                   AliasTable(noise.data(), static_cast<int64_t>(noise.shape(0))),
                   keep_ ? keep_->data() : nullptr,
                   {seed, batch_sentences, centres, window, negatives, random_target,
                    share_negatives, validation_sentences}) {
        if (batch_sentences < 1 || centres < 1 || window < 1 || negatives < 1)
            throw nb::value_error("batch_sentences, centres, window and negatives must be positive");
        if (sampler_.sentences_per_epoch() < 1)
            throw nb::value_error("no sentence is left to train on");
    }

    Batch batch(int64_t update, int threads, int rank, int world) const {
        if (update < 0 || rank < 0 || rank >= world)
            throw nb::value_error("update and rank must not be negative, nor rank reach world");
        nb::gil_scoped_release unlocked;
        return sampler_.batch(update, threads, rank, world);
    }

    Batch validation_batch(int64_t index, int threads) const {
        if (index < 0 || index >= sampler_.validation_batches())
            throw nb::index_error("there is no such validation batch");
        nb::gil_scoped_release unlocked;
        return sampler_.validation_batch(index, threads);
    }

    int64_t sentences_per_epoch() const { return sampler_.sentences_per_epoch(); }
    int64_t validation_batches() const { return sampler_.validation_batches(); }

  private:
    Vector<int32_t> flat_;
    Vector<int64_t> offsets_;
    std::optional<Vector<float>> keep_;
    Sampler sampler_;
};

class BoundTrainer {
  public:
    BoundTrainer(std::vector<PartTables> parts, OutputTables output, bool mean_negatives, bool lazy,
                 double product_rate, float beta1, float beta2, float epsilon)
        : parts_(std::move(parts)), output_(std::move(output)),
          trainer_(described(parts_), tables(parts_), trained(output_),
                   static_cast<int64_t>(std::get<0>(output_).shape(0)),
                   {mean_negatives, lazy, product_rate, beta1, beta2, epsilon}) {
        if (std::get<0>(output_).shape(1) != static_cast<size_t>(trainer_.dim()))
            throw nb::value_error("the output table must be as wide as the parts together");
        for (const PartTables &part : parts_)
            if (std::get<1>(part).shape(0) != std::get<0>(output_).shape(0))
                throw nb::value_error("all tables must have as many rows");
    }

    double step(const Batch &batch, int64_t adam_step, double learning_rate, int threads) {
        check(batch);
        nb::gil_scoped_release unlocked;
        return trainer_.step(batch, adam_step, learning_rate, threads);
    }

    double loss(const Batch &batch, int threads) {
        check(batch);
        nb::gil_scoped_release unlocked;
        return trainer_.loss(batch, threads);
    }

    double gradients(const Batch &batch, std::vector<Matrix> out, int threads) {
        if (out.size() != parts_.size() + 1)
            throw nb::value_error("one array for each part and one for the output are wanted");
        check(batch);
        std::vector<float *> pointers;
        for (Matrix &each : out) pointers.push_back(each.data());
        nb::gil_scoped_release unlocked;
        return trainer_.gradients(batch, threads, pointers);
    }

  private:
    void check(const Batch &batch) const {
        const uint32_t limit = static_cast<uint32_t>(trainer_.vocabulary());
        for (const std::vector<int32_t> *ids : {&batch.ids, &batch.negatives})
            for (int32_t id : *ids)
                if (static_cast<uint32_t>(id) >= limit)
                    throw nb::index_error("the batch has words that the tables lack");
    }

    static std::vector<TrainedPart> described(const std::vector<PartTables> &parts) {
        std::vector<TrainedPart> described;
        for (const auto &[composition, table, first, second, matrix_size] : parts) {
            const int width = static_cast<int>(table.shape(1));
            if (composition == "product" && width != matrix_size * matrix_size)
                throw nb::value_error("a product's row must hold matrix_size x matrix_size numbers");
            described.push_back({composition == "sum" ? Composition::sum : Composition::product,
                                 table.data(), width, matrix_size});
        }
        return described;
    }

    static std::vector<Trained> tables(const std::vector<PartTables> &parts) {
        std::vector<Trained> tables;
        for (const auto &[composition, table, first, second, matrix_size] : parts)
            tables.push_back(trained({table, first, second}));
        return tables;
    }

    static Trained trained(const OutputTables &tables) {
        const auto &[rows, first, second] = tables;
        for (const Matrix *moment : {&first, &second})
            if (moment->shape(0) != rows.shape(0) || moment->shape(1) != rows.shape(1))
                throw nb::value_error("the moments must have the table's shape");
        return {rows.data(), first.data(), second.data()};
    }

    std::vector<PartTables> parts_;
    OutputTables output_;
    Trainer trainer_;
};

}  // namespace

void bind_training(nb::module_ &module) {
    nb::class_<Batch>(module, "Batch", "Training windows of some sentences.")
        .def("__len__", [](const Batch &batch) { return batch.windows.size(); })
        .def_prop_ro("ids", [](nb::handle_t<Batch> self) {
            const Batch &batch = nb::cast<const Batch &>(self);
            return nb::ndarray<nb::numpy, const int32_t>(batch.ids.data(), {batch.ids.size()}, self);
        })
        .def_prop_ro("windows", [](nb::handle_t<Batch> self) {
            const Batch &batch = nb::cast<const Batch &>(self);
            return nb::ndarray<nb::numpy, const int32_t>(
                batch.windows.data(), {batch.windows.size(), 4}, self);
        })
        .def_prop_ro("negatives", [](nb::handle_t<Batch> self) {
            const Batch &batch = nb::cast<const Batch &>(self);
            const size_t width = batch.negatives_a_row;
            return nb::ndarray<nb::numpy, const int32_t>(
                batch.negatives.data(), {batch.negatives.size() / width, width}, self);
        })
        .def_ro("shared_negatives", &Batch::shared_negatives);
    nb::class_<BoundSampler>(module, "Sampler", "Draws batches that follow from seed and update.")
        .def(nb::init<Vector<int32_t>, Vector<int64_t>, Vector<double>,
                      std::optional<Vector<float>>, uint64_t, int, int, int, int, bool, bool,
                      int64_t>(),
             nb::arg("flat"), nb::arg("offsets"), nb::arg("noise"), nb::arg("keep").none(),
             nb::arg("seed"), nb::arg("batch_sentences"), nb::arg("centres"), nb::arg("window"),
             nb::arg("negatives"), nb::arg("random_target"), nb::arg("share_negatives"),
             nb::arg("validation_sentences"))
        .def("batch", &BoundSampler::batch, nb::arg("update"), nb::arg("threads"),
             nb::arg("rank") = 0, nb::arg("world") = 1)
        .def("validation_batch", &BoundSampler::validation_batch, nb::arg("index"),
             nb::arg("threads"))
        .def_prop_ro("sentences_per_epoch", &BoundSampler::sentences_per_epoch)
        .def_prop_ro("validation_batches", &BoundSampler::validation_batches);
    nb::class_<BoundTrainer>(module, "Trainer", "The native training update.")
        .def(nb::init<std::vector<PartTables>, OutputTables, bool, bool, double, float, float,
                      float>(),
             nb::arg("parts"), nb::arg("output"), nb::arg("mean_negatives"), nb::arg("lazy"),
             nb::arg("product_rate"), nb::arg("beta1") = 0.9f, nb::arg("beta2") = 0.999f,
             nb::arg("epsilon") = 1e-8f)
        .def("step", &BoundTrainer::step, nb::arg("batch"), nb::arg("adam_step"),
             nb::arg("learning_rate"), nb::arg("threads"))
        .def("loss", &BoundTrainer::loss, nb::arg("batch"), nb::arg("threads"))
        .def("gradients", &BoundTrainer::gradients, nb::arg("batch"), nb::arg("out"),
             nb::arg("threads"));
}

}  // namespace cmow
