import type { ReportMessage } from '../../messages/report-messages.ts'
import type { FromWorker, ToWorker } from '../../messages/worker-messages.ts'

/**
 * A worker that carries nothing: with a snapshot it reports one request that its limits let through,
 * and it lists, as codes, whose requests other workers reported to it.
 */
let own = 0

function tell(message: FromWorker): void {
  process.send?.(message)
}

function report(codes: Record<string, number>): ReportMessage {
  const open_breakers: ReportMessage['open_breakers'] = []
  const nothing = {
    open_breakers,
    unknown_keys: [],
    quota_uses: [],
    tool_calls: [],
    in_flight: 0,
    connections: 0,
    web_sockets: { open: 0, opened: 0, refused: 0, bytes_in: 0, bytes_out: 0 },
    rss_bytes: 0,
    cpu_ms: 0,
    loop_delay_ms: 0,
  }
  const at = new Date().toISOString()
  return { type: 'report', at, traffic: [], codes, token_uses: [], log_lines_lost: 0, ...nothing }
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'start') {
    own = message.settings.worker
    tell({ type: 'ready', revision: 0, mark: '', port: 0 })
  } else if (message.type === 'snapshot') {
    tell({ type: 'snapshot-accepted', revision: 1, mark: '' })
    tell({ type: 'rate-takes', takes: [[1, `client of ${own}`, own]] })
  } else if (message.type === 'rate-takes') {
    tell(report(Object.fromEntries(message.takes.map(([, client]) => [`${client}, at ${own}`, 1]))))
  } else if (message.type === 'lame-duck') process.exit(0)
})
