// Who may import whom. A rule with a capture group holds for every feature and app there is and will
// be. Each rule carries an import that it must refuse, which its test tries.
//
//   contract ← upstream ← server, gateway         upstream ← http1 ← gateway
//   contract ← dashboard                          server, gateway ← standalone
//   logging ← server, gateway                     tds-test-server ← tests of upstream
//   server     app, stores → features; inside one: routes → service → store → db; all → kernel → contract
//   dashboard  app → features → entities → ui → lib → contract

import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { findCycles, readImports } from './import-graph.mjs'
import { root } from '../lib/places.mjs'

/**
 * @typedef {object} Arrow
 * @property {string} name what is promised
 * @property {RegExp} from the files it holds for
 * @property {string} never what they may not import; `$1` is what a group of `from` caught
 * @property {boolean} [isTypeAllowed] an `import type` is no breach
 * @property {boolean} [isForTests] tests must keep it too
 * @property {boolean} [isForPaths] only imports by a relative path are meant
 * @property {[from: string, to: string]} example an import that it refuses
 */

/** The folders of the feature that sends, from the one that all others build on. */
const runLayers = ['steps', 'ledger', 'engine', 'actions', 'history']

/** @type {Arrow[]} */
export const arrows = [
  {
    name: 'the contract is browser-safe: it imports nothing but Zod and the parsers of JSON and XML',
    from: /^packages\/contract\/src\/(?!json-schema\/)/,
    never: '^(?!packages/contract/src/|npm:(zod|lossless-json|fast-xml-parser)$)',
    example: ['packages/contract/src/apis/apis.ts', 'node:crypto'],
  },
  {
    name: 'checks of JSON Schema add ajv and patterns in linear time; the browser does not load them',
    from: /^packages\/contract\/src\/json-schema\//,
    never: '^(?!packages/contract/src/|npm:(ajv|ajv-formats|re2js)(/|$))',
    example: ['packages/contract/src/json-schema/compile-check.ts', 'npm:zod'],
  },
  {
    name: 'upstream builds on the contract alone; its tests use the TDS test server too',
    from: /^packages\/upstream\//,
    never: '^(packages/(?!upstream/|contract/|tds-test-server/)|apps/|e2e/)',
    isForTests: true,
    example: ['packages/upstream/src/http.ts', 'apps/server/src/index.ts'],
  },
  {
    name: 'http1 builds on upstream alone',
    from: /^packages\/http1\//,
    never: '^(packages/(?!http1/|upstream/)|apps/|e2e/)',
    isForTests: true,
    example: ['packages/http1/src/connection-pool.ts', 'packages/contract/src/index.ts'],
  },
  {
    name: 'logging builds on no other package',
    from: /^packages\/logging\//,
    never: '^(packages/(?!logging/)|apps/|e2e/)',
    isForTests: true,
    example: ['packages/logging/src/open-log.ts', 'packages/contract/src/index.ts'],
  },
  {
    name: 'the TDS test server shares no code with what is tested against it',
    from: /^packages\/tds-test-server\//,
    never: '^(packages/(?!tds-test-server/)|apps/|e2e/|npm:(?!vitest$))',
    isForTests: true,
    example: ['packages/tds-test-server/src/tds-server.ts', 'packages/contract/src/index.ts'],
  },
  {
    name: 'the gateway has no database and no framework',
    from: /^apps\/gateway\/src\//,
    never: '^(npm:(kysely|fastify|pg)|node:sqlite)',
    example: ['apps/gateway/src/main.ts', 'node:sqlite'],
  },
  {
    name: 'an app imports no other app; only standalone composes them',
    from: /^apps\/(?!standalone\/)([^/]+)\//,
    never: '^(apps/(?!$1/)|e2e/)',
    isForTests: true,
    example: ['apps/gateway/src/main.ts', 'apps/server/src/index.ts'],
  },
  {
    name: 'the dashboard knows the contract alone',
    from: /^apps\/dashboard\//,
    never: '^packages/(?!contract/)',
    isForTests: true,
    example: ['apps/dashboard/src/lib/calls/call.ts', 'packages/upstream/src/index.ts'],
  },
  {
    name: 'journeys use the product from outside',
    from: /^e2e\//,
    never: '^apps/',
    isForTests: true,
    example: ['e2e/apis.test.ts', 'apps/server/src/index.ts'],
  },
  {
    name: 'another package is imported by its name',
    from: /^((?:packages|apps)\/[^/]+)\//,
    never: '^(?!$1/)',
    isForTests: true,
    isForPaths: true,
    example: ['apps/server/src/app.ts', 'packages/contract/src/apis/apis.ts'],
  },
  {
    name: 'no Zod in the browser: at run time only the mapping, errors and permissions of the contract',
    from: /^apps\/dashboard\/src\//,
    never: '^(packages/contract/src/index\\.ts|npm:zod)$',
    isTypeAllowed: true,
    example: ['apps/dashboard/src/features/apis/api-queries.ts', 'packages/contract/src/index.ts'],
  },
  {
    name: 'features do not import each other',
    from: /^(apps\/(?!server\/src\/features\/(?:bundles|build-request|workflows|lanes|batches)\/)[^/]+\/src\/features)\/([^/]+)\//,
    never: '^$1/(?!$2/)',
    isForTests: true,
    example: [
      'apps/server/src/features/apis/api-service.ts',
      'apps/server/src/features/runs/ledger/run-store.ts',
    ],
  },
  {
    name: 'bundles, build requests, workflows, lanes and batches are sent as runs: they import runs, and no other feature',
    from: /^(apps\/server\/src\/features)\/(bundles|build-request|workflows|lanes|batches)\//,
    never: '^$1/(?!$2/|runs/)',
    isForTests: true,
    example: [
      'apps/server/src/features/bundles/bundle-service.ts',
      'apps/server/src/features/documents/document-store.ts',
    ],
  },
  ...runLayers.slice(0, -1).map((layer, index) => ({
    name: `inside runs: ${runLayers.toReversed().join(' → ')}`,
    from: new RegExp(`^apps/server/src/features/runs/${layer}/`),
    never: `^apps/server/src/features/runs/(${runLayers.slice(index + 1).join('|')})/`,
    isForTests: true,
    /** @type {[string, string]} */
    example: [
      `apps/server/src/features/runs/${layer}/a.ts`,
      `apps/server/src/features/runs/${runLayers[index + 1]}/b.ts`,
    ],
  })),
  {
    name: 'a feature is wired by the composition root and does not reach for it',
    from: /^apps\/server\/src\/features\//,
    never: '^apps/server/src/[^/]+\\.ts$',
    isTypeAllowed: true,
    example: ['apps/server/src/features/apis/api-service.ts', 'apps/server/src/stores.ts'],
  },
  {
    name: 'routes → service → store: routes parse and present, they do not query',
    from: /^apps\/server\/src\/features\/.*-routes\.ts$/,
    never: '(-store\\.ts$|^apps/server/src/db/|^npm:kysely)',
    isTypeAllowed: true,
    example: [
      'apps/server/src/features/apis/api-routes.ts',
      'apps/server/src/features/apis/api-store.ts',
    ],
  },
  {
    name: 'routes → service → store: services and stores do not look back',
    from: /^apps\/server\/src\/features\/.*-(service|store)\.ts$/,
    never: '-routes\\.ts$',
    example: [
      'apps/server/src/features/apis/api-service.ts',
      'apps/server/src/features/apis/api-routes.ts',
    ],
  },
  {
    name: 'routes → service → store: stores do not look back',
    from: /^apps\/server\/src\/features\/.*-store\.ts$/,
    never: '-service\\.ts$',
    example: [
      'apps/server/src/features/apis/api-store.ts',
      'apps/server/src/features/apis/api-service.ts',
    ],
  },
  {
    name: 'kernel and db know the settings, and no feature',
    from: /^apps\/server\/src\/(kernel|db)\//,
    never: '^apps/server/src/(features/|(?!settings\\.ts$)[^/]+\\.ts$)',
    example: ['apps/server/src/db/connect.ts', 'apps/server/src/features/apis/api-store.ts'],
  },
  {
    name: 'the dashboard: app → features → entities → ui → lib',
    from: /^apps\/dashboard\/src\/features\//,
    never: '^apps/dashboard/src/app/',
    example: [
      'apps/dashboard/src/features/apis/api-list-page.tsx',
      'apps/dashboard/src/app/screens.tsx',
    ],
  },
  {
    name: 'the dashboard: an entity is shown by features and knows none of them',
    from: /^apps\/dashboard\/src\/entities\//,
    never: '^apps/dashboard/src/(app|features)/',
    isForTests: true,
    example: [
      'apps/dashboard/src/entities/run/run-badges.tsx',
      'apps/dashboard/src/features/runs/run-queries.ts',
    ],
  },
  {
    name: 'the dashboard: ui knows no entity and no record of the contract',
    from: /^apps\/dashboard\/src\/ui\//,
    never: '^(apps/dashboard/src/(app|features|entities)/|packages/contract/)',
    example: ['apps/dashboard/src/ui/table/list-page.tsx', 'packages/contract/src/index.ts'],
  },
  {
    name: 'the dashboard: lib knows no entity and no component',
    from: /^apps\/dashboard\/src\/lib\//,
    never: '^apps/dashboard/src/(app|features|entities|ui)/',
    example: [
      'apps/dashboard/src/lib/calls/call.ts',
      'apps/dashboard/src/entities/run/run-words.ts',
    ],
  },
  {
    name: 'what is shipped imports no test',
    from: /^(packages|apps)\//,
    never: '(\\.test\\.tsx?$|-cases\\.ts$|/(test|testing)/|^packages/tds-test-server/|^npm:vitest)',
    example: ['apps/server/src/app.ts', 'apps/server/test/build-app.ts'],
  },
]

/** Where folders form no cycle either. Files beside the folders count as one more. */
const layered = /^(apps\/gateway\/src)\/(?:([^/]+)\/)?/

/**
 * The imports as folders see them: of shipped files alone, types included.
 *
 * @param {import('./import-graph.mjs').Import[]} imports
 */
function importsOfFolders(imports) {
  /** @param {string} file */
  const folderOf = (file) => {
    const [, top, folder = '(files)'] = layered.exec(file) ?? []
    return top && `${top}/${folder}`
  }
  return imports
    .filter(({ from }) => !testFile.test(from))
    .flatMap((edge) => {
      const from = folderOf(edge.from)
      const to = folderOf(edge.to)
      return from && to && from !== to ? [{ ...edge, from, to }] : []
    })
}

/** Tests, and what only tests use. */
const testFile =
  /(\.(test|nightly|mariadb|tds|zbar|curl|redis)\.tsx?$|-cases\.ts$|\/(test|testing)\/|\.config\.ts$|^packages\/tds-test-server\/)/

/** @param {Arrow} arrow @param {import('./import-graph.mjs').Import} edge */
export function breaks(arrow, { from, to, specifier, isType }) {
  if (isType && arrow.isTypeAllowed) return false
  if (arrow.isForPaths && !specifier.startsWith('.')) return false
  if (!arrow.isForTests && testFile.test(from)) return false
  const caught = arrow.from.exec(from)
  if (!caught) return false
  return new RegExp(arrow.never.replace(/\$(\d)/g, (_, group) => caught[group] ?? '')).test(to)
}

/**
 * Every breach in a repository, one sentence each.
 *
 * @param {string} folder its top
 */
export function importProblems(folder) {
  const files = globSync(
    ['{packages,apps}/*/{src,test,migrations}/**/*.{ts,tsx}', '{e2e,proof,bench}/**/*.ts'],
    {
      cwd: folder,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  ).map((file) => file.replaceAll('\\', '/'))
  const imports = readImports(folder, files)
  return [
    ...imports.flatMap((edge) =>
      arrows
        .filter((arrow) => breaks(arrow, edge))
        .map(({ name }) => `${edge.from} imports ${edge.to}\n  ${name}`),
    ),
    ...findCycles(imports).map((cycle) => `${cycle.join('\n  → ')}\n  imports form no cycle`),
    ...findCycles(importsOfFolders(imports)).map(
      (cycle) => `${cycle.join('\n  → ')}\n  imports form no cycle between folders`,
    ),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = importProblems(root)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
