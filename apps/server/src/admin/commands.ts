import { resetPassword } from './reset-password.ts'
import type { AdminCommand } from './command.ts'

/** Every command of `npm run admin`, by its name. */
export const commands: Readonly<Record<string, AdminCommand>> = {
  'reset-password': resetPassword,
}
