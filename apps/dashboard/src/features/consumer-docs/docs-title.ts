import { serverText } from '../../lib/calls/server-text.ts'

/** What the server calls a document, in the language of the page; names of APIs and roles stay as they are. */
export function titleWords(title: string): string {
  const role = /^All APIs for (.+)$/s.exec(title)?.[1]
  return role === undefined ? serverText(title) : `All APIs for ${role}`
}
