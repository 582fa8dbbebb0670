import type { applyConfiguration, FieldErrors } from '@gatehouse/contract'
import type { z } from 'zod'
import { AppError } from '../../kernel/app-error.ts'
import { noteInWords } from '../../kernel/located-document.ts'
import { nameLanes, type Current } from './current.ts'
import type { OwnAnswer } from '../../kernel/http/own-calls.ts'
import type { OwnApi } from './own-api.ts'
import type { ConfigurationPlan, PlannedThing } from './plan-configuration.ts'
import type { Wanted } from './read-configuration.ts'
import { nameOfField, UnknownName } from './references.ts'
import { kindOfSection, sections } from './sections.ts'

type Result = z.output<(typeof applyConfiguration)['response']>['results'][number]

interface Applying {
  api: OwnApi
  plan: ConfigurationPlan
  wanted: Wanted
  current: Current
}

/** Why a thing was not done, and the field that it is about. */
class Refused extends Error {
  override name = 'Refused'
  readonly keys: (string | number)[]

  constructor(message: string, keys: (string | number)[] = []) {
    super(message)
    this.keys = keys
  }
}

/** Carries out a plan by calls of the admin API, one thing after the other. */
export class ConfigurationApplier {
  readonly #of: Applying
  readonly #results: Result[] = []
  /** Endpoints that refer to ones that were made after them. */
  readonly #unfinished: PlannedThing[] = []

  constructor(of: Applying) {
    this.#of = of
  }

  /** Throws a 401 where the caller's session ends meanwhile. */
  async apply(): Promise<Result[]> {
    const { plan, api, current } = this.#of
    for (const section of sections) {
      const things = plan.things.filter((thing) => thing.section === section)
      for (const thing of things)
        if (thing.action === 'add' || thing.action === 'change')
          await this.#settle(thing, () => this.#save(thing))
      for (const thing of this.#unfinished.splice(0))
        await this.#settle(thing, () => this.#update(thing))
      if (section.name === 'workflows' && things.length > 0) await nameLanes(api, current.names)
    }
    for (const thing of plan.things.toReversed())
      if (thing.action === 'remove') await this.#settle(thing, () => this.#remove(thing))
    return this.#results
  }

  async #settle(thing: PlannedThing, work: () => Promise<string>): Promise<void> {
    const { section, name, action } = thing
    const known = { section: section.name, name, action }
    const before = this.#results.findIndex(
      (each) => each.section === known.section && each.name === name,
    )
    let result: Result
    try {
      result = { ...known, ok: true, message: await work() }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const keys = [section.name, name, ...error.keys]
      result = {
        ...known,
        ok: false,
        message: noteInWords(this.#of.wanted.note(keys, error.message)),
      }
    }
    if (before >= 0) this.#results[before] = result
    else this.#results.push(result)
  }

  async #save(thing: PlannedThing): Promise<string> {
    const { section, missing, action } = thing
    const [first] = missing
    if (first !== undefined)
      throw new Refused(`The secret \${${first}} has no value, and none is stored.`)
    if (action === 'change' || !section.create) return this.#update(thing)
    return this.#create(thing)
  }

  async #create(thing: PlannedThing): Promise<string> {
    const { section, name } = thing
    let value = this.#withIds(thing)
    if (value === undefined) {
      // What it refers to may come after it.
      this.#unfinished.push(thing)
      const { run_settings: _, ...rest } = thing.value
      value = this.#withIds({ ...thing, value: rest })
    }
    if (value === undefined || !section.create) throw new Refused('It refers to itself.')
    const { method, url, body } = section.create(value, name)
    const answer = await this.#of.api.send(method, url, JSON.stringify(body))
    const note = noteOf(answer)
    const kind = kindOfSection[section.name]
    const saved: unknown = JSON.parse(answer.text)
    const made = note === '' ? saved : (saved as { saved: unknown }).saved
    if (kind && section.idIn) this.#of.current.names.add(kind, name, section.idIn(made))
    return note
  }

  async #update(thing: PlannedThing): Promise<string> {
    const { section, name } = thing
    const kind = section.ownedBy ?? kindOfSection[section.name]
    const id = thing.id ?? (kind && this.#of.current.names.idOf(kind, name))
    if (id === undefined) throw new Refused('There is nothing of this name that it belongs to.')
    const value = this.#withIds(thing, true)
    const { method, url, body } = section.update(id, value ?? {}, name)
    return noteOf(await this.#of.api.send(method, url, JSON.stringify(body)))
  }

  async #remove({ section, id }: PlannedThing): Promise<string> {
    if (!section.remove || id === undefined) throw new Refused('It can’t be removed.')
    return noteOf(await this.#of.api.send('DELETE', section.remove(id)))
  }

  /** Undefined where it refers to an endpoint that is not made yet, unless everything is. */
  #withIds({ section, value }: PlannedThing, isEverythingMade = false) {
    try {
      return this.#of.current.names.toIds(value) as Record<string, unknown>
    } catch (error) {
      if (!(error instanceof UnknownName)) throw error
      const isLater = section.name === 'endpoints' && error.kind === 'endpoint'
      if (isLater && !isEverythingMade) return undefined
      throw new Refused(error.message, error.keys)
    }
  }
}

/** Blank, or what is to be said of a change that was saved. Throws `Refused` for anything else. */
function noteOf({ status, text }: OwnAnswer): string {
  if (status < 300) return ''
  const answer = JSON.parse(text) as { code: string; message: string; errors?: FieldErrors }
  if (answer.code === 'gateway.not_in_force') return answer.message
  if (status === 401) throw new AppError('session.unauthenticated')
  const [first] = Object.entries(answer.errors ?? {})
  if (!first) throw new Refused(answer.message)
  const [field, [message = answer.message]] = first
  throw new Refused(message, field.split('.').map(nameOfField))
}
