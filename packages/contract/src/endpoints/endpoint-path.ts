/** What is wrong with an endpoint's path, or undefined. `{name}` stands for one whole segment. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'The path must start with /.'
  if (/[?#]/.test(path)) return 'The path may not contain a query or a fragment.'
  if (/[^\x21-\x7e]/.test(path) || /[\\%"<>^`|]/.test(path)) {
    return 'The path may only contain letters, digits and the usual signs of a URL path.'
  }
  const segments = path.split('/').slice(1)
  if (segments.some((segment, at) => segment === '' && at < segments.length - 1)) {
    return 'The path may not contain an empty segment (//).'
  }
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return 'The path may not contain . or .. as a segment.'
  }
  const names: string[] = []
  for (const segment of segments) {
    if (!/[{}]/.test(segment)) continue
    const name = /^\{([A-Za-z_]\w{0,63})\}$/.exec(segment)?.[1]
    if (!name) return 'A parameter must be a whole segment in braces, like /orders/{id}.'
    if (names.includes(name)) return `The parameter {${name}} stands in the path twice.`
    names.push(name)
  }
  return undefined
}
