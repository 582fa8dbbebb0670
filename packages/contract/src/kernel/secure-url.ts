const privateHost =
  /^(?:localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[::1\]|\[f[cd].*\])$/

/**
 * What is wrong with an address whose answers are trusted, or undefined: https; http in this machine and in
 * private networks by their addresses, where answers can't be exchanged on the way. `insecure` is said of others.
 */
export function secureUrlProblem(value: string, insecure: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return 'This is not an http or https address.'
  if (url.username || url.password) return 'The address may not contain a user or password.'
  return url.protocol === 'http:' && !privateHost.test(url.hostname) ? insecure : undefined
}
