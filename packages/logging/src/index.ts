export * from './open-log.ts'
export { redactSecrets, toLoggedError } from './redact.ts'
export * from './rotating-file.ts'
