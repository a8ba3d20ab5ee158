// Start of a new agreement: a choice of documents, each with its purpose and its formula.

import { templates } from '../../../../../src/core/formula/many/templates.ts'
import { TextLink } from '../../../../components/page/links.tsx'
import { useWorkspace } from '../../../../session.ts'
import classes from '../builder.module.css'

/** A line does not break within a ratio such as `L ÷ L₀`. */
function keepRatios(formula: string): string {
  return formula.replaceAll(' ÷ ', '\u00a0÷\u00a0')
}

export function TemplateChoice() {
  const { slug } = useWorkspace()
  return (
    <ul className={classes.templates}>
      {templates.map(({ id, title, words, formula }) => (
        <li key={id} className={classes.template}>
          <h2 className={classes.templateTitle}>
            <TextLink
              to="/w/$ws/agreements/new"
              params={{ ws: slug }}
              search={{ template: id }}
              className={classes.templateLink ?? ''}
            >
              {title}
            </TextLink>
          </h2>
          <p className={classes.templateWords}>{words}</p>
          <p className={classes.templateFormula}>{keepRatios(formula)}</p>
        </li>
      ))}
    </ul>
  )
}
