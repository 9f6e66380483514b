// One sentence of a training batch, through all parts and back.
#include "level.hpp"
#include "parts/part.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

struct Place {
    const TrainedPart &part;
    const PartKernels &kernels;
    int view, row;  // its first columns in embeddings and in rows of gradients
    float *memory;
};

// Visits the parts, each with memory of its own; returns how much that is.
template <class Visit>
size_t each_part(const Model &model, const Sentence &sentence, float *memory, const Visit &visit) {
    Arena arena(memory);
    int view = 0, row = 0;
    for (int p = 0; p < model.part_count; ++p) {
        const TrainedPart &part = model.parts[p];
        const PartKernels &kernels = PARTS[part.form.kind];
        float *const own = arena.take<float>(kernels.train_memory(part, sentence));
        visit(Place{part, kernels, view, row, own});
        view += part.widths.view;
        row += part.widths.row;
    }
    return arena.used();
}

void subtract_neutral(const Place &place, const Sentence &sentence, Rows views) {
    for (int w = 0; place.part.mean && w < sentence.window_count; ++w)
        place.kernels.add_neutral(place.part.form, -1, views[w]);
}

void divide_by_length(const TrainedPart &part, const Sentence &sentence, Rows views) {
    for (int w = 0; part.mean && w < sentence.window_count; ++w)
        if (const int32_t words = words_of(sentence.windows[w]); words > 0)
            scale(1.0f / static_cast<float>(words), views[w], part.widths.view, views[w]);
}

}  // namespace

size_t train_memory(const Model &model, const Sentence &sentence) {
    return each_part(model, sentence, nullptr, [](const Place &) {});
}

void forward(const Model &model, const Sentence &sentence, float *embeddings, float *memory) {
    each_part(model, sentence, memory, [&](const Place &place) {
        const Rows views{embeddings + place.view, model.dim};
        place.kernels.forward(place.part, sentence, views, place.memory);
        subtract_neutral(place, sentence, views);
        divide_by_length(place.part, sentence, views);
    });
}

void backward(const Model &model, const Sentence &sentence, float *embedding_gradients,
              float *word_gradients, float *memory) {
    each_part(model, sentence, memory, [&](const Place &place) {
        const Rows gradients{embedding_gradients + place.view, model.dim};
        divide_by_length(place.part, sentence, gradients);
        place.kernels.backward(place.part, sentence, gradients,
                               {word_gradients + place.row, model.row_dim}, place.memory);
    });
}

}  // namespace cmow::CMOW_LEVEL
