import type { LogEntry, LogFile, LogPage } from '@gatehouse/contract'

/** Pages of logs that satisfy the contract; a test names only what it is about. */
export function buildEntry(changes: Partial<LogEntry> = {}): LogEntry {
  return {
    id: 120,
    level: 'error',
    level_class: 'danger',
    level_img: 'exclamation-triangle',
    context: 'local',
    date: '2026-11-21 10:00:00',
    text: 'It broke.',
    stack: '',
    request_id: '',
    is_truncated: false,
    ...changes,
  }
}

function buildLogFile(id: string, changes: Partial<LogFile> = {}): LogFile {
  const slash = id.lastIndexOf('/')
  return {
    id,
    folder: id.slice(0, Math.max(0, slash)),
    name: id.slice(slash + 1),
    size: 1234,
    modified_at: '2026-11-21T10:00:00.000Z',
    ...changes,
  }
}

export function buildLogPage(logs: LogEntry[], changes: Partial<LogPage> = {}): LogPage {
  const files = [buildLogFile('admin/admin.log'), buildLogFile('runs/runs.log')]
  return {
    logs,
    files,
    folders: ['admin', 'runs'],
    current_file: 'admin/admin.log',
    standardFormat: true,
    total: logs.length,
    levels: [],
    page: 1,
    per_page: 30,
    last_page: 1,
    reading: null,
    other_servers: [],
    ...changes,
  }
}
