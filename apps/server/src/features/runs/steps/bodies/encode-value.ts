import type { BodyFormat } from '@gatehouse/contract'

/** Text as it stands in a body of one format; undefined where no such body can hold it. */
export type Encode = (text: string) => string | undefined

/** XML carries no other character, not even as a reference (XML 1.0 §2.2). */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader of XML makes a line feed of the first, and blanks of all three in an attribute.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const encoders: Record<Exclude<BodyFormat, 'json'>, Encode> = {
  xml: (text) =>
    notXml.test(text)
      ? undefined
      : text.replaceAll(/[&<>"'\r\n\t]/g, (sign) => xmlEntities[sign] ?? sign),
  form: (text) => (text.isWellFormed() ? encodeURIComponent(text) : undefined),
  text: (text) => (text.isWellFormed() ? text : undefined),
}

/** How a value is written into a body that is text; undefined for JSON, where values have types. */
export const encoderOf = (format: BodyFormat): Encode | undefined =>
  format === 'json' ? undefined : encoders[format]

/** For a body that is nothing but one value: a document that was made elsewhere, unchanged. */
export const wholeDocument: Encode = (text) => (notXml.test(text) ? undefined : text)
