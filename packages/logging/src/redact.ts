const secretKey = String.raw`[\w-]*(?:password|passwd|secret|token|api_?key|authorization|cookie)`

/**
 * Secrets, wherever in a text they stand, by their shape (our tokens, Bearer values, JWTs, passwords in
 * URLs) and by the name before them (`password=`, `"token":"…"`). Texts arrive as JSON, so that what
 * stands before a secret may be the `n` of a `\n`: only where a word is not enough do they ask for its
 * begin, and none reaches beyond a closing quote. Each costs one pass over the text: anybody may send a long path.
 */
const secretShapes: readonly [RegExp, string][] = [
  [/gh[spak]_[\w-]{8,}/g, '[token]'],
  [/(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/(?:(?<![\w-])|(?<=\\[bfnrt]))eyJ[\w-]{5,}\.[\w-]{5,}(\.[\w-]*)?/g, '[jwt]'],
  [/(\b\w+:\/\/[^\s:/@"\\]*:)[^\s@/"\\]+@/g, '$1[redacted]@'],
  [/((?:token|password|secret|api_?key)=)(?:[^&\s"'\\]|\\[^"])+/gi, '$1[redacted]'],
  [new RegExp(String.raw`("${secretKey}"\s*:\s*")(?:[^"\\]|\\.)*`, 'gi'), '$1[redacted]'],
  // The same within a text within a text: its quotes are escaped, once or again.
  [
    new RegExp(String.raw`(\\{1,7}"${secretKey}\\{1,7}"\s*:\s*\\{1,7}")[^"\\]+`, 'gi'),
    '$1[redacted]',
  ],
]

/** What each of the shapes needs. A text without it is let through by one search: most paths are. */
const mayHoldSecret = /gh[spak]_|eyJ|:\/\/|[="]|(?:bearer|basic)\s/i

const textMaxLength = 8_192

/** Takes secrets out of a text that is about to be logged. */
export function redactSecrets(text: string): string {
  if (!mayHoldSecret.test(text)) return text
  return secretShapes.reduce(
    (result, [shape, replacement]) => result.replace(shape, replacement),
    text,
  )
}

function redactText(text: string): string {
  return redactSecrets(text.length > textMaxLength ? `${text.slice(0, textMaxLength)}…` : text)
}

interface LoggedError {
  type: string
  message: string
  stack?: string
  code?: string
  cause?: LoggedError
}

/**
 * An error as it may be logged: allow-listed fields only. Drivers and HTTP clients hang connection
 * settings, headers and statements on theirs.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redactText(String(error)) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: redactText(error.message),
    ...(error.stack ? { stack: redactText(error.stack) } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause !== undefined && depth < 3
      ? { cause: toLoggedError(error.cause, depth + 1) }
      : {}),
  }
}
