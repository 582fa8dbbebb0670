import { execFileSync } from 'node:child_process'

/**
 * PostgreSQL refuses to run as root: another account of the machine runs it then.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
export function serverAccount() {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { stdio: 'pipe' })),
      )
      if (uid && gid) return { uid, gid }
    } catch {
      // No such account.
    }
  }
  throw new Error('PostgreSQL does not run as root, and no account "postgres" or "nobody" exists.')
}
