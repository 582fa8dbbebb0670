export * from './http-entry.ts'
export { checkConnection, type ConnectionCheck } from './check-connection.ts'
export * from './http.ts'
export * from './endpoint-url.ts'
export * from './exchange.ts'
export * from './sign-ins.ts'
export * from './target.ts'
export { maxSignInAnswerBytes } from './sign-in/read-sign-in-answer.ts'
export { obtainToken } from './sign-in/obtain-token.ts'
export { signingKeyProblem } from './sign-in/client-authentication.ts'
export { renewAt } from './sign-in/token-lifetime.ts'
export type {
  ObtainedToken,
  SignInCall,
  SignInOutcome,
  SignInProblem,
} from './sign-in/sign-in-outcome.ts'
export * from './tls-material.ts'
export * from './procedure/procedure-types.ts'
export type { ReadOptions } from './procedure/procedure-caller.ts'
export * from './procedure/procedure-upstream.ts'
