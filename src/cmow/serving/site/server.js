// What the page asks, asked of `cmow serve`.

const KEY = "cmow-key";

async function ask(path, body) {
  const key = sessionStorage.getItem(KEY);
  const answer = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: {
      ...(body ? { "content-type": "application/json" } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    },
    body: body && JSON.stringify(body),
  });
  if (answer.ok) return answer.json();
  const { error } = await answer.json().catch(() => ({ error: answer.statusText }));
  throw Object.assign(new Error(error.message ?? error), { status: answer.status });
}

export const needsKey = (error) => error.status === 401;
export const remember = (key) => sessionStorage.setItem(KEY, key);

// How much has to be loaded first, in bytes.
export const size = 0;

export async function open() {
  const told = await ask("info");
  return {
    name: told.model_id,
    dimensions: told.dimensions,
    words: told.vocabulary_size,
    parts: told.parts.map(({ sees_order: seesOrder, ...part }) => ({ ...part, seesOrder })),
    indexed: told.texts_in_index,
    where: `Served by cmow ${told.version} on this address: `,
    link: "openapi.json",
    compare: (a, b) => ask("compare", { a, b }),
    neighbors: async (word, count) => (await ask("neighbors", { word, count })).neighbors,
    // Of the index, or of some texts.
    search: async (query, { order, k, spans, texts }) =>
      (await ask("search", { query, order, k, spans, texts })).results[0],
  };
}
