import { backup } from './backup/backup.ts'
import { check } from './check.ts'
import { config } from './config.ts'
import type { AdminCommand } from './command.ts'
import { dbCopy } from './copy/db-copy.ts'
import { doctor } from './doctor/doctor.ts'
import { gatewayAccount } from './gateway-account.ts'
import { resetPassword } from './reset-password.ts'
import { restore } from './backup/restore.ts'
import { rotateKey } from './rotate-key.ts'
import { upgrade } from './upgrade/upgrade.ts'

/** Every command of `npm run admin`, by its name. */
export const commands: Readonly<Record<string, AdminCommand>> = {
  check,
  doctor,
  upgrade,
  'gateway-account': gatewayAccount,
  'reset-password': resetPassword,
  backup,
  restore,
  'db-copy': dbCopy,
  config,
  'rotate-key': rotateKey,
}
