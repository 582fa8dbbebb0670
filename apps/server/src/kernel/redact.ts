/** Shapes of secrets, wherever in a text they stand: our tokens, Bearer values, JWTs, passwords in URLs. */
const secretShapes: readonly [RegExp, string][] = [
  [/\bgh[sp]_[\w-]{8,}/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(\.[\w-]*)?/g, '[jwt]'],
  [/(\w+:\/\/[^\s:/@]*:)[^\s@/]+@/g, '$1[redacted]@'],
  [/\b((?:access_|auth_)?token|password|secret|api_?key)=[^&\s"']+/gi, '$1=[redacted]'],
]

const textMaxLength = 8_192

/** Takes secrets out of a text that is about to be logged. */
export function redactSecrets(text: string): string {
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
