/**
 * Import this file first, for its side effects: it reads the `.env` files of the working directory,
 * so that every later module finds the variables, and it loads the library that TypeGraphQL's
 * decorators need.
 */
import 'reflect-metadata';
import './settings/load-env.js';
