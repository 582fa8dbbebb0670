import { maskedHeaders } from '../trace/trace.ts'

/** Characters of a body that a trace shows. */
const shownMax = 2_000

/** Headers and body for a trace; secrets are masked. `body`: null where it is not changed. */
export function shownPart(fields: readonly string[], body: string | null) {
  return {
    headers: maskedHeaders(fields, { names: [], secrets: [] }),
    body: body === null ? null : body.slice(0, shownMax),
  }
}
