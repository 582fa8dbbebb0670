import type { TdsLogin } from './tds-login.ts'
import type { TdsServerOptions } from './tds-options.ts'
import {
  done,
  environmentCollation,
  environmentText,
  loginAck,
  messageToken,
  routeTo,
} from './tds-tokens.ts'

/** What LOGIN7 is answered: the session with its settings, or the refusal. */
export function loginAnswer(login: TdsLogin, options: TdsServerOptions): Buffer {
  const { user = 'gatehouse', password = 'secret', route, packetSize = '4096' } = options
  const isRight = login.user === user && login.password === password
  const refusal = options.loginError ?? (isRight ? undefined : wrongLogin(login))
  if (refusal) return Buffer.concat([messageToken('error', refusal), done('done', 0x02)])
  return Buffer.concat([
    environmentText('database', login.database || 'master', 'master'),
    messageToken('info', { number: 5701, message: 'Changed database context.' }),
    environmentCollation(),
    environmentText('language', 'us_english'),
    loginAck(),
    environmentText('packetSize', packetSize, '4096'),
    ...(route ? [routeTo(route.host, route.port)] : []),
    done('done', 0),
  ])
}

const wrongLogin = ({ user }: TdsLogin) => ({
  number: 18456,
  message: `Login failed for user '${user}'.`,
  severity: 14,
})
