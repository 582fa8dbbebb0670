/**
 * The `./credential` entry: what an API shows its upstream, without Zod (spec: sign-in). The stored
 * forms are whole: they hold secrets, and never leave the server and its gateway.
 */
export * from '../apis/sign-in/stored-credential.ts'
export * from '../apis/sign-in/stored-tls.ts'
