/** Segments of unreserved characters that begin with no dot: nothing about them needs a look. */
const plainPath = /^(?:\/[\w~!$&'()*+,=:@-][\w.~!$&'()*+,=:@-]*)+\/?$|^\/$/

type RequestPath =
  /** `segments`: decoded; null while `path` is plain, for `plainSegments`. */
  { ok: true; segments: readonly string[] | null } | { ok: false }

const plain: RequestPath = { ok: true, segments: null }
const refused: RequestPath = { ok: false }

/**
 * Reads the path of a request target. It refuses what two readers could take for two different
 * paths: empty segments, dot segments in any spelling, escaped slashes, backslashes and control
 * characters, and characters that no URI may hold (RFC 3986 §3.3). It is decoded once.
 */
export function readRequestPath(path: string): RequestPath {
  if (plainPath.test(path)) return plain
  if (
    !/^\/[\x21-\x7e]*$/.test(path) ||
    /[\\#<>"^`{|}]|\/\/|%(?:2f|5c|[01][0-9a-f]|7f)/i.test(path)
  ) {
    return refused
  }
  const segments: string[] = []
  for (const segment of path.slice(1).split('/')) {
    const decoded = decode(segment)
    // Some servers cut `;…` off before they look for dot segments.
    if (decoded === undefined || /^\.{1,2}(?:;.*)?$/s.test(decoded)) return refused
    if (/[\x00-\x1f\x7f/\\]/.test(decoded)) return refused
    segments.push(decoded)
  }
  return { ok: true, segments }
}

/** The segments of a path that was found to be plain. */
export const plainSegments = (path: string): readonly string[] => path.slice(1).split('/')

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
