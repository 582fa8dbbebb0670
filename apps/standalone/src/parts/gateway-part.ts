import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '@gatehouse/logging'
import { readSettings } from '@gatehouse/server/environment'
import { GatewayEnd } from '../link/gateway-end.ts'
import { urlOf } from './gateway-settings.ts'
import { openWorkers } from './open-workers.ts'
import { PartProcess } from './part-process.ts'

// The process of the gateway: it starts and keeps the workers, and needs no control plane to do so.

const part = new PartProcess()

part.run(async (_, held) => {
  const settings = readSettings(process.env)
  const folder = resolve(settings.dataDir)
  const log = openLog(folder, 'gateway', settings.logLevel)
  const traceSecret = randomBytes(32).toString('base64url')
  const link = new GatewayEnd({ stream: part.openLink(), log })
  const fleet = await openWorkers({
    settings,
    folder,
    log,
    traceSecret,
    held,
    onReport: (report) => link.report(report),
    onTrace: (trace) => link.trace(trace),
    onProcedureSeen: (seen) => link.procedureSeen(seen),
    onTokenWanted: ({ api_id, refused }) => link.tokenWanted(api_id, refused),
    onAgentAsked: (question) => link.agentAsked(question),
  })
  part.onStop(async (isUrgent) => {
    if (!isUrgent && settings.shutdownDelayMs > 0) {
      fleet.leave()
      await sleep(settings.shutdownDelayMs)
    }
    await fleet.stop()
    await link.stop()
    log.flush()
  })
  // New workers, one after the other, with the certificate as it is now.
  part.onHangUp(() => void fleet.rollingRestart())
  part.hold(fleet.portHandle)
  link.serve({ fleet, facts: { url: urlOf(settings, fleet.address), traceSecret } })
  const isServing = fleet.keptRevision !== undefined
  part.up({ watchdogMs: settings.watchdogMs, isServing })
})
