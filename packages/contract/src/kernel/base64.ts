const isLetter = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  isLetter[letter.charCodeAt(0)] = 1

const lineFeed = 0x0a
const carriageReturn = 0x0d
const pad = 0x3d

/**
 * Whether a text is Base64 (RFC 4648 §4), or its URL-safe form (spec: validation), and not empty. Line breaks may
 * be anywhere, padding may be left out. Blanks are refused: a form turns plus signs into blanks. One pass, whatever the length.
 */
export function isBase64(text: string): boolean {
  let letters = 0
  let pads = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || code === carriageReturn) continue
    if (code === pad) pads++
    else if (pads > 0 || isLetter[code] !== 1) return false
    else letters++
  }
  const rest = letters % 4
  if (letters === 0 || rest === 1) return false
  return pads === 0 || (rest > 0 && rest + pads === 4)
}

/** The data of a Base64 `data:` URL (RFC 2397), whatever type it claims; any other text as it is. */
export function withoutDataUrl(text: string): string {
  const head = /^data:[^,]{0,200};base64,/i.exec(text)?.[0]
  return head === undefined ? text : text.slice(head.length)
}
