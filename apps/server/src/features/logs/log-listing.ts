import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { LogFile } from '@gatehouse/contract'
import { isUnder, type LogSource } from './reading/open-log-file.ts'

/** A folder that logs are shown from. */
export interface LogRoot {
  path: string
  /** Precedes the names of its files: '' for our own logs, the path of the folder for others. */
  label: string
}

export interface ListedFile extends LogFile {
  source: LogSource
  modifiedMs: number
  /** Lies in our own folder of logs. */
  isOwn: boolean
}

const filesMax = 2_000
const depthMax = 4

/** Names that can't be shown as they are: control characters, invalid UTF-8, BiDi controls. */
const strangeName = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/

/**
 * Every log file there is at this moment, newest first: regular files whose real path lies under their
 * root. What a link leads to counts only if it lies there too. Hidden files and those with strange names
 * are left out, and whatever lies in `privateFolder` outside of the roots themselves.
 *
 * A file is only opened through this listing; no path is made of what a caller sent.
 */
export async function listLogs(
  roots: readonly LogRoot[],
  privateFolder: string,
): Promise<ListedFile[]> {
  const found = new Map<string, ListedFile>()
  const ownFolder = await realpath(privateFolder).catch(() => privateFolder)
  for (const root of roots) {
    const rootPath = await realpath(root.path).catch(() => undefined)
    if (rootPath === undefined) continue
    const isPrivate = (path: string) =>
      (path === ownFolder || isUnder(ownFolder, path)) && root.label !== ''
    await listFolder(
      { rootPath, isPrivate, found, isOwn: root.label === '' },
      rootPath,
      root.label,
      1,
    )
  }
  return [...found.values()].toSorted(
    (one, other) => other.modifiedMs - one.modifiedMs || (one.id < other.id ? -1 : 1),
  )
}

interface Walk {
  rootPath: string
  isPrivate: (path: string) => boolean
  found: Map<string, ListedFile>
  isOwn: boolean
}

async function listFolder(walk: Walk, path: string, label: string, depth: number): Promise<void> {
  if (walk.isPrivate(path)) return
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  const names = entries.filter(({ name }) => !name.startsWith('.') && !strangeName.test(name))
  for (const entry of names.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (walk.found.size >= filesMax) return
    if (entry.isDirectory()) {
      // Folders are entered, links to folders are not: they could form a cycle.
      if (depth < depthMax)
        await listFolder(walk, join(path, entry.name), joinLabel(label, entry.name), depth + 1)
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      const file = await describe(walk, path, label, entry.name)
      if (file) walk.found.set(file.id, file)
    }
  }
}

const joinLabel = (label: string, name: string) => (label === '' ? name : `${label}/${name}`)

async function describe(
  walk: Walk,
  folder: string,
  label: string,
  name: string,
): Promise<ListedFile | undefined> {
  try {
    const named = join(folder, name)
    const isLink = (await lstat(named)).isSymbolicLink()
    const path = isLink ? await realpath(named) : named
    const stats = await stat(path)
    if (!stats.isFile() || !isUnder(walk.rootPath, path) || walk.isPrivate(path)) return undefined
    return {
      id: joinLabel(label, name),
      folder: label,
      name,
      size: stats.size,
      modified_at: stats.mtime.toISOString(),
      modifiedMs: stats.mtimeMs,
      source: { path, root: walk.rootPath },
      isOwn: walk.isOwn,
    }
  } catch {
    // Rotated away, or not readable for us.
    return undefined
  }
}

/** The folders that logs are shown from: our own, and those that `LOG_DIRS` names. */
export function logRoots(dataDir: string, others: readonly string[]): LogRoot[] {
  return [
    { path: join(dataDir, 'logs'), label: '' },
    ...others.map((path) => ({ path, label: path.split(sep).join('/') })),
  ]
}
