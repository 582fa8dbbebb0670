declare global {
  /** Left by `early.js`: what the page asked for before this code was there, by its URL. */
  var earlyAnswers: { token: string; answers: Map<string, Promise<Response>> } | undefined
}

/** What was asked for longer ago may not be true any more. */
const earlyMaxMs = 60_000

/**
 * The answer that the page asked for before this code was there, once, if it is the one to this call. An answer
 * to the same path with another query is dropped: the screen shows something else.
 */
export function takeEarlyAnswer(
  method: string | undefined,
  url: string,
  token: string | null,
): Promise<Response> | undefined {
  const early = globalThis.earlyAnswers
  if (early === undefined || method !== 'GET') return undefined
  const answer = early.answers.get(url)
  for (const each of early.answers.keys())
    if (pathOf(each) === pathOf(url)) early.answers.delete(each)
  return early.token === token && performance.now() < earlyMaxMs ? answer : undefined
}

const pathOf = (url: string) => url.split('?', 1)[0]
