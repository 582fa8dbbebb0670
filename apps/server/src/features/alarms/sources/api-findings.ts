import type { ApiSignIn } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { ago, limitOf, type Asked, type Finding } from '../finding.ts'
import { isApiWithin } from './run-reach.ts'

const dayMs = 86_400_000
const apiPath = (id: number) => `/dashboard/admin/api/edit/${id}`

/** A thing that is valid until a moment. */
interface Expiring {
  subject: string
  what: string
  path: string
  expiresAt: string
  /** Since when it has had that end, where renewals may move it. */
  since?: string
}

export interface ExpirySources {
  /** Every sign-in with its state and its client certificate. */
  signIns: () => Promise<ApiSignIn[]>
  /** When the certificate of the gateway ends; undefined where it has none. */
  gatewayCertificateEnd: () => Promise<string | undefined>
}

/** The days left at which an alarm is told again. */
const laterDays = [7, 1]

/** The smallest of the rule's days and 7 and 1 that is not yet passed; undefined: it is not near. */
function levelOf(now: Date, expiresAt: string, days: number): number | undefined {
  const left = (Date.parse(expiresAt) - now.getTime()) / dayMs
  return [...laterDays.filter((day) => day < days).toReversed(), days].find((day) => left <= day)
}

/** A token that lives for an hour, and is renewed each time, is always near its end: half of its life counts. */
const isYoung = (now: Date, { since, expiresAt }: Expiring) =>
  since !== undefined && Date.parse(expiresAt) - now.getTime() > now.getTime() - Date.parse(since)

export function apiFindings(db: Db, { signIns, gatewayCertificateEnd }: ExpirySources) {
  /** Personal tokens that were used lately: machines call with them. */
  const tokens = async (now: Date, days: number): Promise<Expiring[]> => {
    const rows = await db
      .selectFrom('personal_token')
      .select(['id', 'name', 'expires_at'])
      .where('revoked_at', 'is', null)
      .where('expires_at', '<=', ago(now, -days * 1440))
      .where('expires_at', '>', now.toISOString())
      .where('last_used_at', '>=', ago(now, 30 * 1440))
      .orderBy('expires_at')
      .limit(200)
      .execute()
    return rows.map(({ id, name, expires_at }) => ({
      subject: `token:${id}`,
      what: `The personal token ${name}`,
      path: '/dashboard/admin/personal-token',
      expiresAt: expires_at,
    }))
  }

  const certificates = async ({ reach }: Asked, all: readonly ApiSignIn[]): Promise<Expiring[]> => {
    const found = all.flatMap(({ api_id, api_name, certificate }) =>
      certificate && isApiWithin(reach, api_id)
        ? [
            {
              subject: `certificate:${api_id}`,
              what: `The client certificate of ${api_name}`,
              path: apiPath(api_id),
              expiresAt: certificate.expires_at,
            },
          ]
        : [],
    )
    const end = await gatewayCertificateEnd()
    const ofGateway = {
      subject: 'certificate:gateway',
      what: 'The certificate of the gateway',
      path: '/dashboard',
    }
    return end === undefined ? found : [...found, { ...ofGateway, expiresAt: end }]
  }

  const refreshTokens = ({ reach }: Asked, all: readonly ApiSignIn[]): Expiring[] =>
    all.flatMap(({ api_id, api_name, which, refresh_token }) =>
      refresh_token && isApiWithin(reach, api_id)
        ? [
            {
              subject: `refresh-token:${api_id}:${which}`,
              what: `The refresh token of ${api_name}${which === 'test' ? ' (test)' : ''}`,
              path: apiPath(api_id),
              expiresAt: refresh_token.expires_at,
              since: refresh_token.since,
            },
          ]
        : [],
    )

  return {
    refusedSignIns: async ({ now, reach, open }: Asked): Promise<Finding[]> =>
      (await signIns()).flatMap(({ api_id, api_name, which, state, message }) => {
        if (state !== 'refused' || !isApiWithin(reach, api_id)) return []
        const subject = `sign-in:${api_id}:${which}`
        return [
          {
            subject,
            title: `The sign-in of ${api_name} is refused: ${message}`,
            path: apiPath(api_id),
            since: open.find((each) => each.subject === subject)?.since ?? now.toISOString(),
          },
        ]
      }),
    expiry: async (asked: Asked): Promise<Finding[]> => {
      const { now, rule, reach } = asked
      const days = limitOf(rule, 'days')
      const isForAll = !reach.only || reach.only.api_ids.length === 0
      const all = await signIns()
      const expiring = [
        ...(await certificates(asked, all)),
        ...refreshTokens(asked, all),
        ...(isForAll ? await tokens(now, days) : []),
      ]
      return expiring.flatMap((each) => {
        const { subject, what, path, expiresAt } = each
        const level = levelOf(now, expiresAt, days)
        if (level === undefined || isYoung(now, each)) return []
        const verb = Date.parse(expiresAt) <= now.getTime() ? 'has expired on' : 'expires on'
        const title = `${what} ${verb} ${expiresAt.slice(0, 10)}`
        return [{ subject, level: String(level), title, path, since: now.toISOString() }]
      })
    },
    drift: async ({ now, reach }: Asked): Promise<Finding[]> => {
      const rows = await db
        .selectFrom('procedure_contract')
        .innerJoin('api', 'api.id', 'procedure_contract.api_id')
        .select(['api.id', 'api.name', 'procedure_contract.method', 'drift_kind', 'drift_seen_at'])
        .where('drift_kind', 'is not', null)
        .execute()
      return rows
        .filter(({ id }) => isApiWithin(reach, id))
        .map(({ id, name, method, drift_seen_at }) => ({
          subject: `api:${id}`,
          title: `The procedure ${method} of ${name} has changed`,
          path: apiPath(id),
          since: drift_seen_at ?? now.toISOString(),
        }))
    },
    error_rate: async ({ now, rule, reach, open }: Asked): Promise<Finding[]> => {
      const from = `${ago(now, limitOf(rule, 'minutes')).slice(0, 16)}:00.000Z`
      const rows = await db
        .selectFrom('traffic_minute')
        .innerJoin('endpoint', 'endpoint.id', 'traffic_minute.endpoint_id')
        .innerJoin('api', 'api.id', 'endpoint.api_id')
        .select(['api.id', 'api.name'])
        .select(sql<number>`cast(sum(traffic_minute.requests) as bigint)`.as('requests'))
        .select(sql<number>`cast(sum(traffic_minute.errors) as bigint)`.as('errors'))
        .where('traffic_minute.at', '>=', from)
        .where('traffic_minute.endpoint_id', '>', 0)
        .groupBy(['api.id', 'api.name'])
        .execute()
      const [least, percent] = [limitOf(rule, 'requests'), limitOf(rule, 'percent')]
      return rows
        .filter(({ id }) => isApiWithin(reach, id))
        .filter(({ requests, errors }) => requests >= least && errors * 100 > requests * percent)
        .map(({ id, name, requests, errors }) => ({
          subject: `api:${id}`,
          title: `${Math.round((errors * 100) / requests)} % of ${requests.toLocaleString('en')} requests to ${name} failed`,
          path: apiPath(id),
          since: open.find(({ subject }) => subject === `api:${id}`)?.since ?? from,
        }))
    },
  }
}
