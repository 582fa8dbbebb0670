import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Checks an earlier revision out, with the packages of its lock file, ready to be started. */
export async function checkOut(
  revision: string,
  folder: string,
): Promise<{ folder: string; remove: () => void }> {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, revision], { cwd: root })
  if (packagesOf(folder) === packagesOf(root)) linkPackages(folder)
  else
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: folder, stdio: 'ignore' })
  return {
    folder,
    remove: () =>
      void execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root }),
  }
}

/** What a lock file installs, without the workspaces, which come from the folder itself. */
function packagesOf(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>
  }
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  )
  return JSON.stringify(installed)
}

/** The packages that are installed here, and the workspaces of the folder: a link to all would lead to today's. */
function linkPackages(folder: string): void {
  const own = join(folder, 'node_modules')
  mkdirSync(own)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== '@gatehouse')
      symlinkSync(join(root, 'node_modules', name), join(own, name))
  for (const file of globSync('{packages,apps}/*/package.json', { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string }
    const link = join(own, name)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(join(folder, dirname(file)), link)
  }
}
