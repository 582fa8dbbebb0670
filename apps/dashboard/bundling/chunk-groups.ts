import type { Rolldown } from 'vite'

/** What the bundler knows of a module; only what is needed here. */
interface Modules {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null
}

const ownCode = /\/dashboard\/src\//
const screen = /-(page|screen)\.tsx$/
const overview = /-list-page\.tsx$|\/(audit-page|log-page|home-screen)\.tsx$/

/** Floats above the page, and comes with a library that measures and positions. */
const choices = anyOf(
  /@mantine\/core\/esm\/components\/(Combobox|Popover|Select|Tooltip|Pill|Checkbox\/CheckIcon)\//,
  /node_modules\/@floating-ui/,
  /src\/ui\/(filter-selects|linked-filter)\.tsx$/,
  /src\/entities\/workflow\/workflow-select\.tsx$/,
)

/**
 * Few chunks, each compressed as one, and none that a screen loads for the sake of a few lines in it. A
 * group takes along what its files import, unless a group above it has it already.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // The login page loads these two alone.
  { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
  { name: 'start', tags: ['$initial'] },
  { name: 'shell', test: /src\/app\/shell-route\.tsx$/ },
  // Loaded when they are used.
  { name: 'toasts', test: /src\/app\/toasts\.tsx$|node_modules\/react-toastify/ },
  { name: 'events', test: /node_modules\/eventsource-parser/ },
  { name: 'editor', test: /json-editor-view\.tsx$|node_modules\/@codemirror/ },
  { name: sharedByLists },
  // Of the library, for a list or the home screen and for others.
  { name: 'parts', test: /\/components\/(SimpleGrid|Skeleton|Space)\/|\/IconDownload\./ },
  { name: 'switches', test: /\/components\/(Switch|Checkbox)\// },
  { name: 'choices', test: choices },
  { name: 'dialogs', test: /src\/ui\/modal-frame\.tsx$|features\/session\/sign-in-again\.tsx$/ },
  { name: 'home', test: /\/home-screen\.tsx$/ },
  { name: 'exact', test: /lossless-json|contract\/src\/mapping/ },
  { name: featureOf(/src\/features\/([\w-]+)\/.*(?:-list|audit|log)-page\.tsx$/, '-lists') },
  { name: 'forms', test: /node_modules|src\/(ui|lib|entities)\// },
  { name: featureOf(/src\/features\/([\w-]+)\//) },
]

/** The first group that a file fits has it. */
export const chunkGroups = groups.map((group, index) => ({ ...group, priority: 100 - index }))

function anyOf(...patterns: RegExp[]) {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

function featureOf(pattern: RegExp, ending = '') {
  return (id: string) => {
    const feature = pattern.exec(id)?.[1]
    return feature === undefined ? null : feature + ending
  }
}

/** Modules of ours that several lists need, and those that a list or the home screen shares with others. */
function sharedByLists(id: string, modules: Modules) {
  if (!ownCode.test(id) || choices.test(id)) return null
  const seen = new Set<string>()
  const visit = (each: string) => {
    if (seen.has(each)) return
    seen.add(each)
    modules.getModuleInfo(each)?.importers.forEach(visit)
  }
  visit(id)
  const screens = [...seen].filter((each) => screen.test(each))
  const overviews = screens.filter((each) => overview.test(each)).length
  const isPart = /\/src\/(ui|lib|entities)\//.test(id)
  return overviews > 1 || (overviews === 1 && isPart && screens.length > 1) ? 'lists' : null
}
