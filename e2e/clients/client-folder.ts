import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../..', import.meta.url))
const generator = join(checkout, 'e2e/node_modules/openapi-typescript/bin/cli.js')
const compiler = join(checkout, 'node_modules/typescript/bin/tsc')

/** Programs below the checkout, so that they find its packages. */
const home = join(checkout, '.stamps', 'clients')

const options = {
  target: 'esnext',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

/** A folder with a generated client and the programs that use it. */
export class ClientFolder {
  readonly folder: string

  constructor() {
    mkdirSync(home, { recursive: true })
    this.folder = mkdtempSync(join(home, 'client-'))
  }

  write(name: string, content: string | object): string {
    const file = join(this.folder, name)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** Writes the types of a document, as the generator makes them. */
  async generate(name: string, document: object): Promise<void> {
    const source = this.write(`${name}.json`, document)
    await this.#node([generator, source, '--output', join(this.folder, `${name}.d.ts`)])
  }

  /** Holds the programs against the types. Rejects with what the compiler says. */
  async compile(): Promise<void> {
    this.write('tsconfig.json', { compilerOptions: options, include: ['*.ts'] })
    try {
      await this.#node([compiler, '-p', this.folder])
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout, { cause: error })
    }
  }

  /** What a program prints. */
  async run(name: string, env: Record<string, string>): Promise<string> {
    const { stdout } = await this.#node([join(this.folder, name)], env)
    return stdout
  }

  async #node(args: string[], env: Record<string, string> = {}) {
    return run(process.execPath, args, { env: { ...process.env, ...env } })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
