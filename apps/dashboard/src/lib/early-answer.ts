declare global {
  /** Left by `early.js`. */
  var earlyAnswer: { url: string; token: string; answer: Promise<Response> } | undefined
}

/** The answer that the page asked for before this code was there, once, if it is the one to this call. */
export function takeEarlyAnswer(
  method: string | undefined,
  url: string,
  token: string | null,
): Promise<Response> | undefined {
  const early = globalThis.earlyAnswer
  if (method !== 'GET' || early?.url !== url) return undefined
  globalThis.earlyAnswer = undefined
  return early.token === token ? early.answer : undefined
}
