"""LangChain, LlamaIndex, Haystack, spaCy and gensim themselves work with an encoder."""

import asyncio
import logging
import pickle

import numpy as np
import pytest

import cmow
from cmow.errors import ConfigError


def most_alike(encoder, query, texts):
    return texts[int(encoder.similarity(query, texts).argmax())]


def test_langchain(hybrid, model, texts):
    from langchain_core.vectorstores import InMemoryVectorStore

    from cmow.integrations.langchain import CMOWEmbeddings

    embeddings = CMOWEmbeddings(model)
    store = InMemoryVectorStore.from_texts(texts, embeddings)
    query = texts[7]
    found = store.similarity_search_with_score(query, k=3)
    cosines = hybrid.similarity(query, texts)
    np.testing.assert_allclose([score for _, score in found], -np.sort(-cosines)[:3], atol=1e-5)
    assert found[0][0].page_content == query
    assert asyncio.run(embeddings.aembed_query(query)) == embeddings.embed_documents([query])[0]
    assert len(CMOWEmbeddings(hybrid, dimensions=3).embed_query(query)) == 3
    assert not any(embeddings.embed_query("xyzzy"))
    with pytest.raises(TypeError, match="not a single str"):
        embeddings.embed_documents(query)


def test_llama_index(hybrid, model, texts):
    from llama_index.core import VectorStoreIndex
    from llama_index.core.llms import MockLLM
    from llama_index.core.schema import TextNode

    from cmow.integrations.llama_index import CMOWEmbedding

    embedding = CMOWEmbedding(hybrid)
    index = VectorStoreIndex([TextNode(text=text) for text in texts], embed_model=embedding)
    found = index.as_retriever(similarity_top_k=2, llm=MockLLM()).retrieve(texts[3])
    assert found[0].text == texts[3]
    assert found[0].score == pytest.approx(1, abs=1e-5)
    assert found[1].score == pytest.approx(
        np.sort(hybrid.similarity(texts[3], texts))[-2], abs=1e-5
    )
    one = asyncio.run(embedding.aget_text_embedding_batch(texts[:3]))
    np.testing.assert_allclose(one, embedding.get_text_embedding_batch(texts[:3]))
    expected = embedding.get_text_embedding(texts[0])
    stored = CMOWEmbedding(model)
    for again in (
        CMOWEmbedding.from_dict(stored.to_dict()),
        CMOWEmbedding.from_json(stored.to_json()),
        pickle.loads(pickle.dumps(stored)),
    ):
        assert again.model_name == model
        assert again.get_text_embedding(texts[0]) == expected


def test_haystack(model, hybrid, texts):
    from haystack import Document, Pipeline
    from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
    from haystack.components.writers import DocumentWriter
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from cmow.integrations.haystack import CMOWDocumentEmbedder, CMOWTextEmbedder

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    indexing = Pipeline()
    indexing.add_component("embed", CMOWDocumentEmbedder(model))
    indexing.add_component("write", DocumentWriter(store))
    indexing.connect("embed", "write")
    indexing.run({"embed": {"documents": [Document(content=text) for text in texts]}})
    asking = Pipeline()
    asking.add_component("embed", CMOWTextEmbedder(model))
    asking.add_component("find", InMemoryEmbeddingRetriever(store, top_k=1))
    asking.connect("embed.embedding", "find.query_embedding")
    asking.warm_up()
    query = f"{texts[5]} {texts[6].split()[0]}"
    (found,) = asking.run({"embed": {"text": query}})["find"]["documents"]
    assert found.content == most_alike(hybrid, query, texts)

    stored = Pipeline()
    stored.add_component("embed", CMOWTextEmbedder(model, dimensions=7))
    again = Pipeline.loads(stored.dumps(), allowed_modules=["cmow.integrations.haystack"])
    assert len(again.run({"embed": {"text": query}})["embed"]["embedding"]) == 7
    with pytest.raises(ConfigError, match="an encoder in memory has no path: save it"):
        CMOWTextEmbedder(hybrid)


def test_spacy(model, hybrid, texts, tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("cmow", config={"model": model})  # found by its entry point
    one, other = nlp(texts[0]), nlp(texts[1])
    comparable = hybrid.comparable()
    np.testing.assert_array_equal(one.vector, comparable.encode(texts[0]))
    assert one.vector_norm == pytest.approx(np.linalg.norm(one.vector))
    cosine = hybrid.similarity(texts[0], texts[1])
    assert one.similarity(other) == pytest.approx(cosine, abs=1e-6)
    np.testing.assert_array_equal(one[0:2].vector, comparable.encode(one[0:2].text))
    np.testing.assert_array_equal(one[1].vector, comparable.encode(one[1].text))
    assert one.has_vector
    assert not nlp("xyzzy").has_vector
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline", config={"components": {"cmow": {"model": "english"}}})
    np.testing.assert_array_equal(again(texts[0]).vector, one.vector)


@pytest.mark.filterwarnings("ignore:.*W109")
def test_spacy_in_two_processes(model, texts):
    import spacy

    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("cmow", config={"model": model})
    documents = [pipe(each) for each in nlp.pipe(texts[:6], n_process=2, batch_size=2)]
    for one, other in zip(documents, nlp.pipe(texts[:6]), strict=True):
        np.testing.assert_array_equal(one.vector, other.vector)


def test_gensim(hybrid, texts):
    from gensim.models import Word2Vec

    from cmow.integrations.gensim import from_keyed_vectors, to_keyed_vectors

    keyed = to_keyed_vectors(hybrid)
    word = texts[0].split()[0]
    np.testing.assert_array_equal(
        keyed[word], hybrid.word_vectors("cbow").table[hybrid.vocabulary.index(word)]
    )
    assert (
        keyed.get_vecattr(word, "count") == hybrid.vocabulary.counts[hybrid.vocabulary.index(word)]
    )
    for part in ("cbow", "cmow"):
        near = to_keyed_vectors(hybrid.part(part), part).most_similar(word, topn=3)
        ours = hybrid.part(part).most_similar_words(word, count=3)
        assert [each for each, _ in near] == [each.word for each in ours]
    again = from_keyed_vectors(keyed, tokenizer="whitespace")
    np.testing.assert_allclose(
        again.encode(texts), hybrid.part("cbow").encode(texts), rtol=1e-5, atol=1e-5
    )
    trained = Word2Vec([text.split() for text in texts], vector_size=8, min_count=1, seed=1)
    for vectors in (trained, trained.wv):
        encoder = from_keyed_vectors(vectors, tokenizer="whitespace")
        expected = trained.wv[texts[0].split()].sum(0)
        np.testing.assert_allclose(encoder.encode(texts[0]), expected, atol=1e-5)
    with pytest.raises(ConfigError, match="no part 'nothing'"):
        to_keyed_vectors(hybrid, "nothing")


def test_the_model_that_comes_with_the_package_is_the_default(caplog):
    from cmow.integrations.langchain import CMOWEmbeddings

    with caplog.at_level(logging.WARNING):
        vector = CMOWEmbeddings().embed_query("a wonderful film")
    expected = cmow.load().encode("a wonderful film", normalize="all")
    np.testing.assert_allclose(vector, expected)
