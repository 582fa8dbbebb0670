/** Fields that can be written and never read back, in every form that has them. */
const secretNames: ReadonlySet<string> = new Set([
  'password',
  'password_confirmation',
  'current_password',
  'secret',
  'token',
  'client_secret',
  'private_key',
  'refresh_token',
  'client_key',
  'pfx',
  'passphrase',
])

/** Whether a field holds a secret: by its name, or because its form says so. Fields below one are too. */
export const isSecretField = (path: string, others: readonly string[] = []): boolean =>
  path.split('.').some((name) => secretNames.has(name)) ||
  others.some((other) => path === other || path.startsWith(`${other}.`))
