import type { Rolldown } from 'vite'

/** What the bundler knows of a module; only what is needed here. */
interface Modules {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null
}

const ownCode = /\/dashboard\/src\//
const screen = /-(page|screen)\.tsx$/
const overview = /-list-page\.tsx$|\/(audit-page|log-page|home-screen)\.tsx$/

/** What a link to a list has chosen, which most lists do without. */
const filters = anyOf(
  /@mantine\/core\/esm\/components\/Pill\//,
  /src\/ui\/filters\/linked-pill\.tsx$/,
)

const dropdowns = anyOf(/src\/ui\/\w+\/(selects\.ts|column-popover\.tsx)$/, /@floating-ui/)

const formParts = /node_modules|src\/(ui|lib)\//

/** What some forms need, and most do without. */
const someForms = [
  {
    name: 'json',
    test: /src\/(ui\/\w+\/(json-|plain-offers)|lib\/format\/(pretty-json|json-problem))/,
  },
  { name: 'numbers', test: /\/components\/NumberInput\/|react-number-format/ },
  { name: 'menus', test: anyOf(/\/components\/Menu\//, /src\/ui\/table\/row-menu/) },
  {
    name: 'differences',
    test: /node_modules\/diff\/|src\/(lib|ui)\/\w+\/(line-diff|conflict-dialog|clash-field)/,
  },
  {
    name: 'panels',
    test: anyOf(
      /\/components\/(Tabs|SegmentedControl|FloatingIndicator|Progress|Autocomplete)\//,
      /\/components\/(FileInput|ScrollArea)\/|src\/ui\/chart\/(time-chart|chart-scale)/,
    ),
  },
  { name: 'choices', test: /\/components\/MultiSelect\// },
]
const ofFewForms = anyOf(...someForms.map(({ test }) => test))

/**
 * Few chunks, each compressed as one, and none that a screen loads for the sake of a few lines in it. A
 * group takes along what its files import, unless a group above it has it already.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // The login page loads these two alone.
  { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
  { name: 'start', tags: ['$initial'] },
  // With the one constant that forms share with the editor, which they load once it is shown.
  { name: 'shell', test: /src\/(app\/shell-route\.tsx|ui\/json\/text-assist\.ts)$/ },
  // Loaded when they are used.
  { name: 'toasts', test: /src\/app\/toasts\.tsx$|node_modules\/react-toastify/ },
  { name: 'events', test: /node_modules\/eventsource-parser/ },
  { name: 'editor', test: /json-editor-view\.tsx$|node_modules\/@codemirror/ },
  { name: shared },
  // Loaded once a list is drawn.
  { name: 'selects', test: dropdowns },
  { name: 'switches', test: /\/components\/(Switch|Checkbox)\// },
  { name: 'filters', test: filters },
  { name: 'tooltips', test: /\/components\/Tooltip\// },
  // Loaded once something was deleted or changed that can be undone.
  { name: 'undo', test: /src\/ui\/dialog\/undo-toast\.tsx$/ },
  { name: 'bulk', test: /entities\/bulk\/bulk-dialog\.tsx$|src\/ui\/form\/words-input\.tsx$/ },
  {
    name: 'dialogs',
    test: /src\/ui\/dialog\/modal-frame\.tsx$|features\/session\/sign-in-again\.tsx$/,
  },
  { name: 'login-more', test: /src\/features\/session\/(login-more|login-offers|sign-on)\.tsx$/ },
  {
    name: 'passkeys',
    test: /src\/lib\/session\/passkeys\.ts$|session\/passkey-|contract\/src\/passkey-/,
  },
  { name: 'password-pages', test: /features\/session\/password-/ },
  { name: 'second-factor', test: /src\/(entities\/second-factor|features\/session)\// },
  { name: 'audit-actions', test: /features\/audit\/action-choices\.ts$/ },
  { name: 'home', test: /\/home-screen\.tsx$/ },
  { name: 'exact', test: /lossless-json|contract\/src\/mapping/ },
  { name: 'xml', test: /contract\/src\/answer-tree|node_modules\/fast-xml-parser/ },
  { name: featureOf(/src\/features\/([\w-]+)\/.*(?:-list|audit|log)-page\.tsx$/, '-lists') },
  {
    name: (id) => (formParts.test(id) && !ofFewForms.test(id) ? 'forms' : null),
    // Most forms need most of it.
    entriesAwareMergeThreshold: 6_000,
  },
  ...someForms,
  { name: 'mapping', test: /src\/entities\/mapping\// },
  { name: 'hints', test: /src\/entities\/(placeholder|answer-rule)\// },
  // Loaded with the part of an endpoint's form that changes bodies.
  {
    name: 'transform',
    test: /endpoints\/transformation\/(transform-body-field|use-transform-body)\.tsx?$/,
  },
  { name: 'people', test: /src\/entities\/(permission|role|audit)\// },
  { name: 'entities', test: /src\/entities\// },
  { name: featureOf(/src\/features\/([\w-]+)\//) },
]

/** Loaded as a whole: a page that needs one of their files needs most of them. */
const whole =
  /^(?:vendor|start|shell|toasts|events|editor|selects|switches|filters|tooltips|dialogs|login-more|passkeys)$/

/** In characters, before they are made smaller. */
const smallPart = 1_000

/**
 * The first group that a file fits has it. A group is then taken apart by the screens and late parts that
 * load its files, so that none of them loads files of others; small parts stay with their nearest neighbour.
 */
export const chunkGroups = groups.map((group, index) => ({
  ...(group.name === shared || whole.test(String(group.name))
    ? {}
    : { entriesAware: true, entriesAwareMergeThreshold: smallPart }),
  ...group,
  priority: 100 - index,
}))

function anyOf(...patterns: RegExp[]) {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

function featureOf(pattern: RegExp, ending = '') {
  return (id: string) => {
    const feature = pattern.exec(id)?.[1]
    return feature === undefined ? null : feature + ending
  }
}

/**
 * `lists` for what several lists need, and for modules of ours that one list shares with other screens;
 * `parts` for what the home screen shares with screens that are no lists.
 */
function shared(id: string, modules: Modules) {
  if (/\/IconDownload\./.test(id)) return 'lists'
  if (/\/components\/(SimpleGrid|Skeleton|Space)\/|\/IconAlertTriangle\./.test(id)) return 'parts'
  if (!ownCode.test(id) || filters.test(id) || dropdowns.test(id)) return null
  const screens = screensWith(id, modules)
  const [first, ...others] = screens.filter((each) => overview.test(each))
  if (others.length > 0) return 'lists'
  const isPart = /\/src\/(ui|lib|entities)\//.test(id)
  if (first === undefined || !isPart || screens.length === 1) return null
  return first.endsWith('/home-screen.tsx') ? 'parts' : 'lists'
}

function screensWith(id: string, modules: Modules): string[] {
  const seen = new Set<string>()
  const visit = (each: string) => {
    if (seen.has(each)) return
    seen.add(each)
    modules.getModuleInfo(each)?.importers.forEach(visit)
  }
  visit(id)
  return [...seen].filter((each) => screen.test(each))
}
