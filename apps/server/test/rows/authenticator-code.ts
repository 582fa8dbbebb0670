import { codeOf, stepAt } from '../../src/features/second-factor/totp.ts'

/** What an authenticator app with this secret shows at this moment. */
export const authenticatorCode = (secret: string, at: Date) => codeOf(secret, stepAt(at))
