import type { TestResult, TestResultContainer } from 'allure-js-commons';
import type { Category, EnvironmentInfo } from 'allure-js-commons/sdk';
import { stringifyEnvInfo, type Writer } from 'allure-js-commons/sdk/reporter';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executor } from './allure-executor';
import { plainContent, plainMember } from './allure-plain';
import { oneLine } from '../../catalog/plain-text';

/** Writes Allure results as plain files; the default writer syncs each one to the disk, which costs more than the run. */
export class AllureWriter implements Writer {
  constructor(readonly resultsDir: string) {}

  writeResult(result: TestResult): void {
    this.#write(`${result.uuid}-result.json`, JSON.stringify(result, plainMember));
  }

  writeGroup(container: TestResultContainer): void {
    this.#write(`${container.uuid}-container.json`, JSON.stringify(container, plainMember));
  }

  writeAttachment(fileName: string, content: Buffer): void {
    this.#write(fileName, plainContent(fileName, content));
  }

  writeAttachmentFromPath(fileName: string, from: string): void {
    copyFileSync(from, join(this.resultsDir, fileName));
  }

  writeEnvironmentInfo(info: EnvironmentInfo): void {
    const plain = Object.entries(info).map(([name, value]) => [name, oneLine(value ?? '')]);
    this.#write('environment.properties', stringifyEnvInfo(Object.fromEntries(plain) as EnvironmentInfo));
  }

  writeCategoriesDefinitions(categories: Category[]): void {
    this.#write('categories.json', JSON.stringify(categories));
  }

  writeExecutor(executor: Executor): void {
    this.#write('executor.json', JSON.stringify(executor, plainMember));
  }

  /** Errors of hooks would become errors of the whole run, at the time of reporting; their scenarios report them. */
  writeGlobals(): void {
    return;
  }

  #write(fileName: string, content: string | Buffer): void {
    writeFileSync(join(this.resultsDir, fileName), content);
  }
}
