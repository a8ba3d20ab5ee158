// `provider list`: the fifteen providers with their requirements, their limits, and whether a key is set. Keys are never shown.
import { type Config, readConfig } from '../../config.ts'
import { keyVariable, limitWords } from '../../providers/about.ts'
import { providers } from '../../providers/catalogue/catalogue.ts'
import type { Provider } from '../../providers/provider.ts'
import { searchOf } from '../../providers/search/search-catalogue.ts'
import { type Command, printJson } from '../frame/command.ts'

export const providerListCommand: Command = {
  name: 'provider list',
  usage: '',
  summary: 'Lists the providers: what each needs, its limits, and whether a key is set.',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(invocation) {
    const { terminal } = invocation
    const { config, mistakes } = readConfig(terminal.env)
    if (config === null) {
      for (const mistake of mistakes) terminal.err(`assize: ${mistake}\n`)
      return 1
    }
    const list = Object.values(providers)
    if (invocation.json) {
      printJson(
        invocation,
        list.map(provider => present(provider, config)),
      )
      return 0
    }
    for (const provider of list) terminal.out(describe(provider, config))
    return 0
  },
}

function present(provider: Provider, config: Config) {
  const { name, title, key, limits, askEveryMinutes, publishes, codeNotation, codeExample, terms } = provider
  return {
    provider: name,
    title,
    key,
    keyVariable: keyVariable(provider),
    keySet: config.providerKeys.has(name),
    baseUrl: config.providerBases.get(name) ?? provider.baseUrl,
    limits,
    askEveryMinutes,
    publishes,
    codeNotation,
    codeExample: `${name}/${codeExample}`,
    search: searchOf(name) === undefined ? 'built-in' : 'live',
    terms,
  }
}

function describe(provider: Provider, config: Config): string[] {
  const { name, title, publishes, codeNotation, codeExample, limits, askEveryMinutes } = provider
  return [
    `${name.padEnd(18)}${title}`,
    `  code      ${name}/${codeExample}   (${codeNotation})`,
    `  key       ${keyWords(provider, config)}`,
    `  limits    ${limitWords(limits)}; asked every ${askEveryMinutes} minutes at most`,
    `  publishes ${publishes}`,
    ...(config.providerBases.has(name) ? [`  asked at  ${config.providerBases.get(name)}`] : []),
    '',
  ]
}

function keyWords(provider: Provider, config: Config): string {
  if (provider.key === 'none') return 'none needed'
  const set = config.providerKeys.has(provider.name) ? 'set' : 'not set'
  return `${provider.key}, ${set} (${keyVariable(provider)})`
}
