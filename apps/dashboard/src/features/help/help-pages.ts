import { language, type Language } from '../../lib/format/language.ts'
import { headingId, parseMarkdown, type Block } from './markdown.ts'

/** A page of the docs, and a heading in it. */
export interface HelpPlace {
  page: string
  section?: string
}

const files = import.meta.glob<string>(
  [
    '../../../../../docs/*.md',
    '../../../../../docs/*/*.md',
    '!../../../../../docs/{ar,authorities,contributing,decisions,history,spec}/*.md',
  ],
  { query: '?raw', import: 'default' },
)

const fileOf = (page: string) => `../../../../../docs/${page}.md`

export const isHelpPage = (page: string): boolean => Object.hasOwn(files, fileOf(page))

/** The pages that there are in Arabic, by the names of their files. */
export const arabicFiles = import.meta.glob<string>('../../../../../docs/ar/*.md', {
  query: '?raw',
  import: 'default',
})

/** The text of a page; each is loaded alone, when it is opened. */
export async function loadHelpPage(page: string): Promise<string> {
  const load = files[fileOf(page)]
  if (!load) throw new Error(`There is no help page ${page}`)
  return load()
}

/** A page as it is shown: in English where there is no translation. */
interface ShownPage {
  blocks: Block[]
  language: Language
  /** Where its file is among the pages: its links lead from there. */
  path: string
}

/** Headings of a translation have the ids of the English ones, to which links lead. */
export async function loadShownPage(page: string, asked: Language = language): Promise<ShownPage> {
  const english = parseMarkdown(await loadHelpPage(page))
  const load = asked === 'ar' ? arabicFiles[fileOf(`ar/${page}`)] : undefined
  if (!load) return { blocks: english, language: 'en', path: page }
  const ids = english.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
  const blocks = parseMarkdown(await load()).map((block) =>
    block.kind === 'heading' ? { ...block, id: ids.shift() ?? block.id } : block,
  )
  return { blocks, language: 'ar', path: `ar/${page}` }
}

/** The page for each address, by how the address begins: the first that fits. */
export const helpPlaces: readonly (readonly [prefix: string, place: HelpPlace])[] = [
  ['/dashboard/admin/apis/', { page: 'api-page' }],
  ['/dashboard/admin/apis', { page: 'first-steps' }],
  ['/dashboard/admin/api/import', { page: 'import' }],
  ['/dashboard/admin/api-docs', { page: 'consumer-docs' }],
  ['/dashboard/admin/configuration', { page: 'configuration' }],
  ['/dashboard/admin/api/', { page: 'sign-in' }],
  ['/dashboard/admin/endpoints', { page: 'gateway', section: 'what-a-request-goes-through' }],
  ['/dashboard/admin/endpoint/', { page: 'run-settings' }],
  ['/dashboard/admin/context', { page: 'gateway' }],
  ['/dashboard/admin/build-request', { page: 'mapping/build-request' }],
  ['/dashboard/admin/tax', { page: 'runs' }],
  ['/dashboard/admin/runs', { page: 'runs', section: 'states' }],
  ['/dashboard/admin/unclear', { page: 'runs/unclear' }],
  ['/dashboard/admin/documents', { page: 'run-settings/documents' }],
  ['/dashboard/admin/workflow', { page: 'workflows' }],
  ['/dashboard/admin/schedule', { page: 'schedules' }],
  ['/dashboard/admin/lanes', { page: 'workflows/lanes' }],
  ['/dashboard/admin/deliveries', { page: 'callbacks' }],
  ['/dashboard/admin/reconciliation', { page: 'reconciliation' }],
  ['/dashboard/admin/alarm-rules', { page: 'alarms', section: 'rules' }],
  ['/dashboard/admin/alarm-channels', { page: 'alarms', section: 'channels' }],
  ['/dashboard/admin/alarms', { page: 'alarms' }],
  ['/dashboard/admin/archive', { page: 'archive' }],
  ['/dashboard/admin/image-generator', { page: 'images' }],
  ['/dashboard/admin/gateway-requests', { page: 'gateway-requests' }],
  ['/dashboard/admin/logs', { page: 'operations/logs', section: 'the-log-viewer' }],
  ['/dashboard/admin/nodes', { page: 'operations/fleet', section: 'nodes' }],
  ['/dashboard/admin/traffic', { page: 'operations/processes', section: 'the-gateway' }],
  ['/dashboard/admin/search', { page: 'search' }],
  ['/dashboard/admin/audit', { page: 'security', section: 'what-an-operator-does' }],
  ['/dashboard/admin/personal-token/', { page: 'callers', section: 'limits-of-a-token' }],
  ['/dashboard/admin/personal-token', { page: 'first-steps' }],
  ['/dashboard/admin/token-issuers', { page: 'callers', section: 'jwts' }],
  ['/dashboard/admin/sign-on', { page: 'administrators/sign-on' }],
  ['/dashboard/admin/user/', { page: 'forms' }],
  ['/dashboard/admin/user', { page: 'security', section: 'the-model' }],
  ['/dashboard/admin/role', { page: 'security', section: 'the-model' }],
  ['/dashboard/admin/api-permission', { page: 'security', section: 'the-model' }],
  ['/dashboard/account', { page: 'administrators' }],
  ['/dashboard', { page: 'home' }],
]

export const helpPlaceOf = (pathname: string): HelpPlace =>
  helpPlaces.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? { page: 'home' }

/** The section of the page of errors about a code. */
export const errorPlace = (code: string): HelpPlace => ({
  page: 'errors',
  section: headingId(code),
})

/** The place that an address names by page and heading; undefined where there is no such page. */
export function namedPlace(text: string): HelpPlace | undefined {
  if (isHelpPage(text)) return { page: text }
  const end = text.lastIndexOf('/')
  const page = text.slice(0, Math.max(end, 0))
  return isHelpPage(page) ? { page, section: headingId(text.slice(end + 1)) } : undefined
}

/** The place that a link of a page leads to: `runs.md#states`, `#states`, `../runs.md`. */
export function linkedPlace(href: string, page: string): HelpPlace | undefined {
  const { pathname, hash } = new URL(href, `https://docs/${page}.md`)
  const target = pathname.slice(1).replace(/\.md$/, '')
  if (!isHelpPage(target)) return undefined
  return hash === '' ? { page: target } : { page: target, section: hash.slice(1) }
}
