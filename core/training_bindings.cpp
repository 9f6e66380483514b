// Sampler, batches and the native update as Python sees them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "objectives/joint.hpp"
#include "objectives/labels.hpp"
#include "objectives/negative_sampling.hpp"
#include "objectives/teacher.hpp"
#include "sampling.hpp"
#include "trainer.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
// Keeps the corpus's arrays alive beside the sampler that reads them.
class BoundSampler {
  public:
    BoundSampler(Vector<int32_t> flat, Vector<int64_t> offsets, Vector<double> noise,
                 std::optional<Vector<float>> keep, uint64_t seed, int batch_sentences, int centres,
                 int window, int negatives, bool random_target, bool share_negatives,
                 int64_t validation_sentences)
        : flat_(flat), offsets_(offsets), keep_(keep),
          sampler_(Corpus(flat_.data(), static_cast<int64_t>(flat_.shape(0)), offsets_.data(),
                          static_cast<int64_t>(offsets_.shape(0)) - 1,
                          static_cast<int64_t>(noise.shape(0))),
                   AliasTable(noise.data(), static_cast<int64_t>(noise.shape(0))),
                   keep_ ? keep_->data() : nullptr,
                   {.seed = seed,
                    .batch_sentences = batch_sentences,
                    .centres = centres,
                    .window = window,
                    .negatives = negatives,
                    .random_target = random_target,
                    .share_negatives = share_negatives,
                    .validation_sentences = validation_sentences}) {
        if (batch_sentences < 1 || centres < 1 || window < 1 || negatives < 1)
            throw nb::value_error(
                "batch_sentences, centres, window and negatives must be positive");
        if (validation_sentences < 0 || sampler_.sentences_per_epoch() < 1)
            throw nb::value_error("no sentence is left to train on");
        if (keep_ && keep_->shape(0) != noise.shape(0))
            throw nb::value_error("noise and keep must have a number for each word");
    }

    NoiseBatch batch(int64_t update, int threads, int rank, int world) const {
        if (update < 0 || rank < 0 || rank >= world)
            throw nb::value_error("update and rank must not be negative, nor rank reach world");
        nb::gil_scoped_release unlocked;
        return sampler_.batch(update, threads, rank, world);
    }

    NoiseBatch validation_batch(int64_t index, int threads) const {
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

// A table with its moments, which are kept alive.
struct BoundTable {
    BoundTable(Matrix rows, Matrix first_moment, Matrix second_moment)
        : rows(rows), first_moment(first_moment), second_moment(second_moment) {
        for (const Matrix *moment : {&first_moment, &second_moment})
            if (moment->shape(0) != rows.shape(0) || moment->shape(1) != rows.shape(1))
                throw nb::value_error("the moments must have the table's shape");
    }

    Trained trained() const {
        return {.rows = rows.data(),
                .first_moment = first_moment.data(),
                .second_moment = second_moment.data(),
                .count = static_cast<int64_t>(rows.shape(0)),
                .width = static_cast<int>(rows.shape(1))};
    }

    Matrix rows, first_moment, second_moment;
};

// What Python calls an objective: that of the core, and the arrays it works on.
struct BoundObjective {
    std::shared_ptr<Objective> objective;
    std::vector<BoundTable> tables;
    // It and its trainers keep what they are about to compute: they work for one thread at a time.
    std::shared_ptr<std::mutex> turn = std::make_shared<std::mutex>();
};

BoundObjective negative_sampling(const BoundTable &output, bool mean_negatives) {
    return {std::make_shared<NegativeSampling>(output.trained(), mean_negatives), {output}};
}

// :param matrices: a table for each part that is mapped; none for the others
BoundObjective teacher_objective(const std::vector<std::optional<BoundTable>> &matrices,
                                 const std::vector<int> &widths, const BoundTable &bias,
                                 float twin_weight) {
    const int dim = bias.trained().width;
    if (matrices.size() != widths.size() || bias.trained().count != 1)
        throw nb::value_error(
            "a matrix or None and a width for each part, and one bias are wanted");
    std::vector<Trained> tables;
    std::vector<BoundTable> kept;
    for (size_t p = 0; p < matrices.size(); ++p) {
        Trained table{};
        if (matrices[p]) {
            table = matrices[p]->trained();
            kept.push_back(*matrices[p]);
        }
        if (matrices[p] ? table.count != widths[p] || table.width != dim : widths[p] != dim)
            throw nb::value_error("a matrix must have a row for each number of its part's view");
        tables.push_back(table);
    }
    kept.push_back(bias);
    return {std::make_shared<TeacherObjective>(tables, widths, bias.trained(), twin_weight), kept};
}

BoundObjective joint_objective(const std::vector<std::pair<BoundObjective, float>> &weighted) {
    std::vector<JointObjective::Weighted> all;
    std::vector<BoundTable> kept;
    for (const auto &[bound, weight] : weighted) {
        all.push_back({bound.objective, weight});
        kept.insert(kept.end(), bound.tables.begin(), bound.tables.end());
    }
    if (all.empty()) throw nb::value_error("an objective is wanted");
    return {std::make_shared<JointObjective>(all), kept};
}

BoundObjective labels_objective(const BoundTable &head, const BoundTable &bias,
                                const Vector<float> &weights, const std::string &loss, bool pairs) {
    const size_t outputs = head.rows.shape(0);
    if (outputs < 1 || bias.rows.shape(0) != 1 || bias.rows.shape(1) != outputs ||
        weights.shape(0) != outputs)
        throw nb::value_error("a row of the head, a number of the bias and a weight an output");
    for (const label_losses::Named &known : label_losses::ALL)
        if (loss == known.name)
            return {std::make_shared<LabelsObjective>(
                        head.trained(), bias.trained(),
                        std::vector<float>(weights.data(), weights.data() + outputs), known, pairs),
                    {head, bias}};
    throw nb::value_error("there is no such loss");
}

LabelledBatch labelled_batch(const Vector<int32_t> &ids, const Vector<int64_t> &offsets,
                             const ConstMatrix &targets, bool judged) {
    const size_t examples = targets.shape(0), texts = offsets.shape(0) - 1;
    if (offsets.shape(0) < 1 || (texts != examples && texts != 2 * examples))
        throw nb::value_error("targets are wanted for each text, or for each two");
    if (offsets(0) != 0 || offsets(texts) != static_cast<int64_t>(ids.shape(0)) ||
        !std::is_sorted(offsets.data(), offsets.data() + texts + 1))
        throw nb::value_error("offsets must rise from 0 to the number of ids");
    return LabelledBatch({ids.data(), ids.data() + ids.shape(0)}, offsets.data(), texts,
                         examples ? texts / examples : 1,
                         {targets.data(), targets.data() + targets.size()}, targets.shape(1),
                         judged);
}

TaughtBatch taught_batch(const Vector<int32_t> &ids, const Vector<int64_t> &offsets,
                         const Vector<bool> &twins, const ConstMatrix &targets) {
    const size_t texts = twins.shape(0);
    if (offsets.shape(0) != texts + 1 || targets.shape(0) != texts)
        throw nb::value_error("a vector and an offset are wanted for each text");
    if (offsets(0) != 0 || offsets(texts) != static_cast<int64_t>(ids.shape(0)))
        throw nb::value_error("offsets must rise from 0 to the number of ids");
    for (size_t t = 0; t < texts; ++t)
        if (offsets(t) > offsets(t + 1)) throw nb::value_error("offsets must rise");
    if (texts > 0 && twins(0)) throw nb::value_error("a twin follows its original");
    return TaughtBatch({ids.data(), ids.data() + ids.shape(0)}, offsets.data(), twins.data(), texts,
                       {targets.data(), targets.data() + targets.size()});
}

class BoundTrainer {
  public:
    BoundTrainer(const BoundObjective &objective, bool lazy, float beta1, float beta2,
                 float epsilon)
        : objective_(objective),
          trainer_(objective.objective,
                   {.lazy = lazy, .beta1 = beta1, .beta2 = beta2, .epsilon = epsilon}) {}

    void add_part(const std::string &kind, int size, const Constants &constants, bool mean,
                  const BoundTable &table, double rate) {
        const Form form = bound_form(kind, size, constants);
        const Widths widths = bound_widths(form);
        const Trained trained = table.trained();
        if (trained.width != widths.row)
            throw nb::value_error("a row must have as many numbers as the part takes");
        if (!parts_.empty() && trained.count != parts_.front().table.trained().count)
            throw nb::value_error("all tables must have as many rows");
        const std::lock_guard alone(*objective_.turn);
        trainer_.add_part({.form = form, .widths = widths, .mean = mean, .table = trained.rows},
                          trained, rate);
        parts_.push_back({constants, table});
    }

    double step(const Batch &batch, int64_t update, double learning_rate, int threads) {
        nb::gil_scoped_release unlocked;
        const std::lock_guard alone(*objective_.turn);
        check(batch);
        return trainer_.step(batch, update, learning_rate, threads);
    }

    double loss(const Batch &batch, int threads) {
        nb::gil_scoped_release unlocked;
        const std::lock_guard alone(*objective_.turn);
        check(batch);
        return trainer_.loss(batch, threads);
    }

    double gradients(const Batch &batch, const std::vector<Matrix> &out, int threads) {
        nb::gil_scoped_release unlocked;
        const std::lock_guard alone(*objective_.turn);
        check(batch);
        const std::vector<Trained> tables = trainer_.tables();
        if (out.size() != tables.size())
            throw nb::value_error(
                "one array for each part and each table of the objective is wanted");
        std::vector<float *> pointers;
        for (size_t i = 0; i < out.size(); ++i) {
            if (static_cast<int64_t>(out[i].shape(0)) != tables[i].count ||
                static_cast<int>(out[i].shape(1)) != tables[i].width)
                throw nb::value_error("the arrays must have the tables' shapes");
            pointers.push_back(out[i].data());
        }
        return trainer_.gradients(batch, threads, pointers);
    }

  private:
    void check(const Batch &batch) const {
        const std::string fault = trainer_.fault(batch);
        if (!fault.empty()) throw nb::index_error(fault.c_str());
    }

    struct Kept {
        Constants constants;
        BoundTable table;
    };

    BoundObjective objective_;
    std::vector<Kept> parts_;
    Trainer trainer_;
};

template <class T>
auto view_of(nb::handle owner, const std::vector<T> &numbers, size_t width) {
    return nb::ndarray<nb::numpy, const int32_t>(
        numbers.data(), {numbers.size() * sizeof(T) / sizeof(int32_t) / width, width}, owner);
}

}  // namespace

void bind_training(nb::module_ &module) {
    nb::class_<Batch>(module, "Batch", "Sentences, and the windows of them that are embedded.")
        .def("__len__", [](const Batch &batch) { return batch.windows.size(); })
        .def_prop_ro("ids",
                     [](nb::handle_t<Batch> self) {
                         const std::vector<int32_t> &ids = nb::cast<const Batch &>(self).ids;
                         return nb::ndarray<nb::numpy, const int32_t>(ids.data(), {ids.size()},
                                                                      self);
                     })
        .def_prop_ro("windows", [](nb::handle_t<Batch> self) {
            return view_of(self, nb::cast<const Batch &>(self).windows, 4);
        });
    nb::class_<NoiseBatch, Batch>(module, "NoiseBatch", "A batch with noise words.")
        .def_prop_ro("negatives",
                     [](nb::handle_t<NoiseBatch> self) {
                         const NoiseBatch &batch = nb::cast<const NoiseBatch &>(self);
                         return view_of(self, batch.negatives, batch.negatives_a_row);
                     })
        .def_ro("shared_negatives", &NoiseBatch::shared_negatives);
    nb::class_<BoundSampler>(module, "Sampler", "Draws batches that follow from seed and update.")
        .def(
            nb::init<Vector<int32_t>, Vector<int64_t>, Vector<double>, std::optional<Vector<float>>,
                     uint64_t, int, int, int, int, bool, bool, int64_t>(),
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
    nb::class_<BoundTable>(module, "TrainedTable", "A table, changed in place, and its moments.")
        .def(nb::init<Matrix, Matrix, Matrix>(), nb::arg("rows"), nb::arg("first_moment"),
             nb::arg("second_moment"));
    nb::class_<BoundObjective>(module, "Objective", "What embeddings lose, and the gradients.");
    module.def("negative_sampling", &negative_sampling, nb::arg("output"),
               nb::arg("mean_negatives"), "Telling targets from noise words.");
    nb::class_<TaughtBatch, Batch>(module, "TaughtBatch", "Texts, and a teacher's vectors.")
        .def_prop_ro("targets", [](nb::handle_t<TaughtBatch> self) {
            const TaughtBatch &batch = nb::cast<const TaughtBatch &>(self);
            const size_t texts = batch.windows.size(), width = batch.target_width;
            return nb::ndarray<nb::numpy, const float>(batch.targets.data(), {texts, width}, self);
        });
    module.def("taught_batch", &taught_batch, nb::arg("ids"), nb::arg("offsets"), nb::arg("twins"),
               nb::arg("targets"), "A batch of texts; a twin stands behind its original.");
    module.def("teacher_objective", &teacher_objective, nb::arg("matrices"), nb::arg("widths"),
               nb::arg("bias"), nb::arg("twin_weight"), "Pointing where a teacher's vectors do.");
    nb::class_<LabelledBatch, Batch>(module, "LabelledBatch",
                                     "Texts, or pairs of them, and labels.")
        .def_ro("judged", &LabelledBatch::judged)
        .def_prop_ro("targets", [](nb::handle_t<LabelledBatch> self) {
            const LabelledBatch &batch = nb::cast<const LabelledBatch &>(self);
            const size_t examples = batch.sentences(), width = batch.target_width;
            return nb::ndarray<nb::numpy, const float>(batch.targets.data(), {examples, width},
                                                       self);
        });
    module.def("labelled_batch", &labelled_batch, nb::arg("ids"), nb::arg("offsets"),
               nb::arg("targets"), nb::arg("judged"),
               "A batch of texts, or of pairs if there are two for a target.");
    module.def("labels_objective", &labels_objective, nb::arg("head"), nb::arg("bias"),
               nb::arg("weights"), nb::arg("loss"), nb::arg("pairs"),
               "Telling classes, or hitting scores, by a linear map.");
    module.def("joint_objective", &joint_objective, nb::arg("weighted"),
               "Objectives that take turns, each with the weight of its loss.");
    nb::class_<BoundTrainer>(module, "Trainer", "The native training update.")
        .def(nb::init<const BoundObjective &, bool, float, float, float>(), nb::arg("objective"),
             nb::arg("lazy"), nb::arg("beta1") = 0.9f, nb::arg("beta2") = 0.999f,
             nb::arg("epsilon") = 1e-8f)
        .def("add_part", &BoundTrainer::add_part, nb::arg("kind"), nb::arg("size"),
             nb::arg("constants"), nb::arg("mean"), nb::arg("table"), nb::arg("rate"))
        .def("step", &BoundTrainer::step, nb::arg("batch"), nb::arg("update"),
             nb::arg("learning_rate"), nb::arg("threads"))
        .def("loss", &BoundTrainer::loss, nb::arg("batch"), nb::arg("threads"))
        .def("gradients", &BoundTrainer::gradients, nb::arg("batch"), nb::arg("out"),
             nb::arg("threads"));
}

}  // namespace cmow
