import type { ConfigSnapshot, GatewayStatus, RevisionId } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ConfigSource } from '../publisher.ts'
import { gatewaysChannel } from './gateway-account-store.ts'
import type { GatewaySeal } from './gateway-seal.ts'

/** The account of the database is none that was made for gateways. */
export class NoGatewayAccount extends Error {
  override name = 'NoGatewayAccount'
}

interface GatewaySourceOptions {
  db: Db
  seal: GatewaySeal
  onPayload: (payload: string) => void
}

/** Where a gateway that runs alone reads its configuration: the row that the control plane keeps for its account. */
export function gatewaySource({ db, seal, onPayload }: GatewaySourceOptions): ConfigSource {
  const row = db.selectFrom('gateway_config').where('account', '=', sql<string>`current_user`)
  const get = async (): Promise<RevisionId> => {
    const found = await row.select(['revision', 'mark']).executeTakeFirst()
    if (!found) throw new NoGatewayAccount('Nothing is stored for this account of the database.')
    return found
  }
  const read = async () => {
    const { sealed, account } = await row.select(['sealed', 'account']).executeTakeFirstOrThrow()
    const snapshot = (await seal.open(sealed, { kind: 'config', account })) as ConfigSnapshot
    return { snapshot, faults: faultsOf(snapshot) }
  }
  return { get, read, channel: gatewaysChannel, onPayload }
}

/** Endpoints that were left out are not in it, so that they are shown by the control plane alone. */
const faultsOf = ({ apis }: ConfigSnapshot): GatewayStatus['faults'] =>
  apis.flatMap(({ id, name, fault }) => (fault === null ? [] : [{ api_id: id, name, fault }]))
