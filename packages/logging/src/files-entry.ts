/** The `./files` entry: files and the filter for secrets, without pino. */
export { redactSecrets, toLoggedError } from './redact.ts'
export * from './rotating-file.ts'
