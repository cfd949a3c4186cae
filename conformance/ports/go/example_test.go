package jsonscan_test

import (
	"errors"
	"fmt"

	"jsonscan"
)

func ExampleSearch() {
	match, err := jsonscan.Search("Sure:\n```json\n{'name': 'Ada', tags: [1, 2,]}\n```", jsonscan.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := match.Value.(*jsonscan.Object).Get("name")
	fmt.Println(name, match.Source, len(match.Edits))
	// Output: Ada fence 4
}

func ExampleExtractJSONObject() {
	fmt.Println(jsonscan.ExtractJSONObject(`Sure, {name}: {"a": 1}. Anything else?`))
	// Output: {"a": 1}
}

func ExampleExtractJSON() {
	value, err := jsonscan.ExtractJSON("```json\n{'a': 1,}\n```")
	if err != nil {
		panic(err)
	}
	for key, item := range value.(*jsonscan.Object).All() {
		fmt.Println(key, item.(jsonscan.Number).Float64())
	}
	// Output: a 1
}

func ExampleExtractError() {
	_, err := jsonscan.ExtractJSON(`The list is [1, 2`)
	var failure *jsonscan.ExtractError
	if errors.As(err, &failure) {
		fmt.Println(failure.Code, failure.Preview)
	}
	// Output: unbalanced [1, 2
}
